//! Tables on a page; each scrolls by itself where the page is narrow.

use super::Html;
use crate::report::table::{Cell, Table};

/// Begins a table; `label` says what it shows.
pub fn begin(html: &mut Html, label: &str) {
    html.raw("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"").text(label).raw("\"><table>\n");
}

pub fn end(html: &mut Html) {
    html.raw("</table></div>\n");
}

/// A table that a terminal shows as well.
pub fn table(html: &mut Html, label: &str, table: &Table) {
    begin(html, label);
    let left = |column: usize| if table.words.contains(&column) { " class=\"left\"" } else { "" };
    html.raw("<thead><tr>");
    for (column, head) in table.heads.iter().enumerate() {
        html.element(&format!("th scope=\"col\"{}", left(column)), head);
    }
    html.raw("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.raw("<tr>");
        for (column, cell) in row.iter().enumerate() {
            match cell {
                Cell::Name(name) => _ = html.raw("<th scope=\"row\" class=\"left\">").name(name).raw("</th>"),
                Cell::Own(shown) => _ = html.element(&format!("td{}", left(column)), shown.replace('-', "−")),
                Cell::Bad(shown) => _ = html.element("td class=\"bad\"", shown),
            }
        }
        html.raw("</tr>\n");
    }
    html.raw("</tbody>\n");
    end(html);
}
