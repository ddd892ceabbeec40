package dev.millrace.cql.language.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Formats the function reference in Markdown. */
public final class FunctionReference
{
    private static final String HEAD = """
        # Functions of CQL

        Names are case-insensitive. Arguments are widened as described in
        [Conversions](cql/expressions.md#conversions): an int is accepted for a double. `*` is any type, `#` any ordered
        type, the same everywhere in a line; `...` repeats the last argument.

        The column *Nulls* shows the effect of a null argument: with *null* the result is null, with *accepted* the
        description states the effect, with *ignored* an aggregate ignores the row. An argument for which a function is
        undefined rejects the row, as a division by 0 does; the query continues.

        Not in the tables: [`case` and `decode`](cql/expressions.md#case-and-decode); `prev`, `next`, `first`, `last`
        and others in [patterns](cql/patterns.md#conditions-and-measures); calls of [Java](cql/xml-and-java.md).
        """;

    /** Calls with keyword syntax. */
    private static final Map<String, String> WRITTEN = Map.of(
        "xmlelement", "xmlelement(name e, xmlattributes(x as \"a\", ...), y, ...)",
        "xmlattributes", "xmlattributes(x as \"a\", ...)",
        "xmlforest", "xmlforest(x as \"a\", ...)",
        "xmlcolattval", "xmlcolattval(x as \"a\", ...)",
        "xmlparse", "xmlparse(document x), xmlparse(content x)",
        "xmlexists", "xmlexists(xquery passing by value x as \".\", ...)",
        "xmlquery", "xmlquery(xquery passing by value x as \".\", ... returning content)");

    private FunctionReference()
    {
    }

    /**
     * Writes the page.
     *
     * @param arguments path of the file
     * @throws IOException if the file cannot be written
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path file = Path.of(arguments[0]).toAbsolutePath();
        Files.createDirectories(file.getParent());
        Files.writeString(file, markdown(FunctionCatalog.builtIn()));
    }

    /** The page in Markdown. */
    public static String markdown(final FunctionCatalog catalog)
    {
        final StringBuilder page = new StringBuilder(1 << 15).append(HEAD);
        String group = "";
        for (final FunctionDescription each : catalog.descriptions())
        {
            final String heading = (each.aggregate() ? "Aggregates: " : "") + each.group();
            if (!heading.equals(group))
            {
                group = heading;
                page.append("\n## ").append(group)
                    .append("\n\n| Call | Result | Meaning | Nulls | Example |\n|---|---|---|---|---|\n");
            }
            page.append("| `").append(call(each)).append("` | `").append(each.result()).append("` | ")
                .append(cell(each.text())).append(" | ").append(nulls(each)).append(" | ").append(example(each))
                .append(" |\n");
        }
        return page.toString();
    }

    private static String call(final FunctionDescription each)
    {
        return WRITTEN.getOrDefault(each.name(), each.name() + '(' + each.arguments() + ')');
    }

    private static String nulls(final FunctionDescription each)
    {
        if (each.arguments().isEmpty())
        {
            return "";
        }
        return each.aggregate() ? "ignored" : each.takesNulls() ? "accepted" : "null";
    }

    private static String example(final FunctionDescription each)
    {
        if (each.example().isEmpty())
        {
            return "";
        }
        final String call = each.aggregate() ? "rows " + each.example() : each.example();
        return '`' + cell(call + " = " + each.expected()) + '`';
    }

    private static String cell(final String text)
    {
        return text.replace("|", "\\|");
    }
}
