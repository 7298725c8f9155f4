"""What a page is judged by, as expressions that run in it."""

# By how many pixels the page is wider than the window.
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"

# The least contrast of a text that is shown, by WCAG's formula, and the text.
CONTRAST = """(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const mixed = (...colors) => {
        pen.clearRect(0, 0, 1, 1);
        for (const color of colors) { pen.fillStyle = color; pen.fillRect(0, 0, 1, 1); }
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb) => {
        const [r, g, b] = rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (node) => {
        const colors = [];
        for (let at = node; at; at = at.parentElement) colors.unshift(getComputedStyle(at).backgroundColor);
        return ["white", ...colors];
    };
    let worst = [99, ""];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !node.checkVisibility({ opacityProperty: true }) || node.closest(".unseen, noscript, option")) continue;
        if (node.closest(":disabled")) continue;
        const style = getComputedStyle(node);
        const back = behind(node);
        const [a, b] = [mixed(...back), mixed(...back, node instanceof SVGElement ? style.fill : style.color)].map(light);
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst[0]) worst = [ratio, walker.currentNode.data.trim().slice(0, 40)];
    }
    return worst;
})()"""

# What the focus can reach and has no name for those who do not see it.
NAMELESS = """[...document.querySelectorAll("button, a[href], input, select, [tabindex='0']")].filter((node) => {
    if (!node.checkVisibility()) return false;
    const names = [node.getAttribute("aria-label"), node.innerText, ...[...(node.labels ?? [])].map((label) => label.innerText || label.textContent)];
    const other = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.innerText);
    return ![...names, ...other].some((name) => name?.trim());
}).map((node) => node.outerHTML.slice(0, 80))"""
