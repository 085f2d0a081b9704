// Sorts a table of the page by the column whose head is clicked; once more turns the order round. Numbers are compared
// as numbers where both cells begin with one.
(function () {
  "use strict";
  const FEWEST_ROWS = 4;

  function compare(a, b) {
    const [x, y] = [parseFloat(a.replace(/,/g, "")), parseFloat(b.replace(/,/g, ""))];
    return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
  }

  function sort(table, column, head) {
    const rises = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", rises ? "ascending" : "descending");
    const text = (row) => (row.cells[column] ? row.cells[column].textContent.trim() : "");
    const rows = Array.from(table.tBodies[0].rows);
    rows.sort((a, b) => compare(text(a), text(b)) * (rises ? 1 : -1));
    for (const row of rows) table.tBodies[0].appendChild(row);
  }

  function make_sortable(table) {
    if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < FEWEST_ROWS) return;
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      head.setAttribute("aria-sort", "none");
      head.tabIndex = 0;
      head.addEventListener("click", () => sort(table, column, head));
      head.addEventListener("keydown", (key) => { if (key.key === "Enter") sort(table, column, head); });
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("article table").forEach(make_sortable);
  });
})();
