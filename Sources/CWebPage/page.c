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
static const unsigned char access_js[] = {
#embed "../SondeWeb/Page/access.js"
};
static const unsigned char address_js[] = {
#embed "../SondeWeb/Page/address.js"
};
static const unsigned char app_js[] = {
#embed "../SondeWeb/Page/app.js"
};
static const unsigned char chart_js[] = {
#embed "../SondeWeb/Page/chart.js"
};
static const unsigned char controls_js[] = {
#embed "../SondeWeb/Page/controls.js"
};
static const unsigned char dom_js[] = {
#embed "../SondeWeb/Page/dom.js"
};
static const unsigned char failures_js[] = {
#embed "../SondeWeb/Page/failures.js"
};
static const unsigned char icon_svg[] = {
#embed "../SondeWeb/Page/icon.svg"
};
static const unsigned char keys_js[] = {
#embed "../SondeWeb/Page/keys.js"
};
static const unsigned char overview_js[] = {
#embed "../SondeWeb/Page/overview.js"
};
static const unsigned char session_js[] = {
#embed "../SondeWeb/Page/session.js"
};
static const unsigned char sparkline_js[] = {
#embed "../SondeWeb/Page/sparkline.js"
};
static const unsigned char table_js[] = {
#embed "../SondeWeb/Page/table.js"
};
static const unsigned char text_js[] = {
#embed "../SondeWeb/Page/text.js"
};
static const unsigned char theme_js[] = {
#embed "../SondeWeb/Page/theme.js"
};

static const struct sonde_web_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"app.css", app_css, sizeof app_css},
    {"access.js", access_js, sizeof access_js},
    {"address.js", address_js, sizeof address_js},
    {"app.js", app_js, sizeof app_js},
    {"chart.js", chart_js, sizeof chart_js},
    {"controls.js", controls_js, sizeof controls_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"failures.js", failures_js, sizeof failures_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"keys.js", keys_js, sizeof keys_js},
    {"overview.js", overview_js, sizeof overview_js},
    {"session.js", session_js, sizeof session_js},
    {"sparkline.js", sparkline_js, sizeof sparkline_js},
    {"table.js", table_js, sizeof table_js},
    {"text.js", text_js, sizeof text_js},
    {"theme.js", theme_js, sizeof theme_js},
};

struct sonde_web_file sonde_web_file_at(size_t index) {
    struct sonde_web_file none = {NULL, NULL, 0};
    return index < sizeof files / sizeof files[0] ? files[index] : none;
}
