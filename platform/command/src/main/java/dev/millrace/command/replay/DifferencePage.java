package dev.millrace.command.replay;

import java.util.List;
import java.util.Map;

/** The difference between two sets of rules as one HTML file without other resources. Single use. */
final class DifferencePage
{
    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>%s</title>
        <style>
        body { font-family: sans-serif; margin: 2em; max-width: 80em; }
        table { border-collapse: collapse; margin-bottom: 1.5em; }
        th, td { padding: 0.25em 0.7em; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
        td.number, th.number { text-align: right; }
        td.row { font-family: monospace; white-space: pre-wrap; }
        tr.changed { background: #fff6dd; } tr.before { background: #fde7e7; } tr.after { background: #e5f5e5; }
        </style></head><body>
        <h1>%s</h1>
        """;

    private final DifferenceReport report;
    private final int limit;
    private final StringBuilder out = new StringBuilder(1 << 14);

    /** @param limit number of rows of each kind of difference of a query */
    DifferencePage(final DifferenceReport report, final int limit)
    {
        this.report = report;
        this.limit = limit;
    }

    String text()
    {
        final String title = escape("Replay of " + report.application() + "/" + report.processor() + " with " +
            report.rules());
        out.append(HEAD.formatted(title, title));
        report.notes().forEach(note -> out.append("<p>").append(escape(note)).append("</p>\n"));
        addCounts();
        report.queries().forEach((query, of) ->
        {
            if (!of.isEmpty())
            {
                addRows(query, of);
            }
        });
        return out.append("</body></html>\n").toString();
    }

    private void addCounts()
    {
        out.append("<table><tr><th>query</th>");
        List.of("rows before", "rows after", "same", "changed", "only before", "only after")
            .forEach(title -> out.append("<th class=\"number\">").append(title).append("</th>"));
        out.append("</tr>\n");
        report.queries().forEach((query, of) ->
        {
            out.append("<tr><td>").append(escape(query)).append("</td>");
            List.of(of.before(), of.after(), of.same(), (long)of.changed().size(), (long)of.onlyBefore().size(),
                    (long)of.onlyAfter().size())
                .forEach(count -> out.append("<td class=\"number\">").append(count).append("</td>"));
            out.append("</tr>\n");
        });
        out.append("</table>\n");
        addRejected("before", report.rejectedBefore());
        addRejected("after", report.rejectedAfter());
    }

    private void addRejected(final String side, final Map<String, Long> rejected)
    {
        rejected.forEach((reason, rows) -> out.append("<p>rejected ").append(side).append(": ").append(escape(reason))
            .append(", rows ").append(rows).append("</p>\n"));
    }

    private void addRows(final String query, final RowDifference.Result of)
    {
        out.append("<h2>").append(escape(query)).append("</h2>\n<table><tr><th></th><th>time</th><th></th>")
            .append("<th>before</th><th>after</th></tr>\n");
        of.changed().stream().limit(limit).forEach(change ->
            addRow("changed", "changed", change.before(), change.before().text(), change.after().text()));
        addRest(of.changed().size());
        of.onlyBefore().stream().limit(limit).forEach(row -> addRow("before", "only before", row, row.text(), ""));
        addRest(of.onlyBefore().size());
        of.onlyAfter().stream().limit(limit).forEach(row -> addRow("after", "only after", row, "", row.text()));
        addRest(of.onlyAfter().size());
        out.append("</table>\n");
    }

    private void addRow(final String style, final String what, final OutputRow row, final String before,
        final String after)
    {
        out.append("<tr class=\"").append(style).append("\"><td>").append(what).append("</td><td>")
            .append(escape(row.time())).append("</td><td>").append(escape(row.kind())).append("</td><td class=\"row\">")
            .append(escape(before)).append("</td><td class=\"row\">").append(escape(after)).append("</td></tr>\n");
    }

    private void addRest(final int all)
    {
        if (all > limit)
        {
            out.append("<tr><td colspan=\"5\">").append(all - limit).append(" more</td></tr>\n");
        }
    }

    /** Values come from outside: none of them may become markup, in text or in an attribute. */
    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
            .replace("'", "&#39;");
    }
}
