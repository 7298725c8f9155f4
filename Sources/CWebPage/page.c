/* The compiler reads the files: nothing is generated, and nothing is looked for at run time. A file that is added to the
   folder has to be added here; a test compares both. */
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../SondeWeb/Page/index.html"
};
static const unsigned char app_css[] = {
#embed "../SondeWeb/Page/app.css"
};
static const unsigned char app_js[] = {
#embed "../SondeWeb/Page/app.js"
};
static const unsigned char icon_svg[] = {
#embed "../SondeWeb/Page/icon.svg"
};

static const struct sonde_web_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"app.css", app_css, sizeof app_css},
    {"app.js", app_js, sizeof app_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
};

struct sonde_web_file sonde_web_file_at(size_t index) {
    struct sonde_web_file none = {NULL, NULL, 0};
    return index < sizeof files / sizeof files[0] ? files[index] : none;
}
