// Makes the theme's pages readable with keys and screen readers: what scrolls sideways can be reached, and the copy
// buttons of code have names of their own. The theme adds both after the page has loaded.
function makeReadable() {
  for (const part of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) part.tabIndex = 0;
  document.querySelectorAll("nav.md-code__nav").forEach((nav, i) => nav.setAttribute("aria-label", `code ${i + 1}`));
}

addEventListener("DOMContentLoaded", () => {
  makeReadable();
  new MutationObserver(makeReadable).observe(document.body, { childList: true, subtree: true });
});
