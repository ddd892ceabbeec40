package dev.millrace.cql.language.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes the page of all functions, in Markdown. */
public final class FunctionReference
{
    private static final String HEAD = """
        # Functions of CQL

        Names may be written in any case. Arguments widen as in [Conversions](cql/expressions.md#conversions): an int
        fits where a double is wanted. `*` is any type, `#` any type that has an order, the same at all places of a
        line; `...` repeats the last argument.

        The column *Nulls* says what a null argument does: *null* makes the result null, *taken* means that the text
        tells, *left out* that an aggregate passes over it. An argument for which a function has no value rejects the
        row, as division by 0 does; the query goes on.

        Not in the tables: [`case` and `decode`](cql/expressions.md#case-and-decode); `prev`, `next`, `first`, `last`
        and others in [patterns](cql/patterns.md#conditions-and-measures); calls of [Java](cql/xml-and-java.md).
        """;

    /** Calls that are written with words. */
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
     * @param arguments the file
     * @throws IOException when it cannot be written
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path file = Path.of(arguments[0]).toAbsolutePath();
        Files.createDirectories(file.getParent());
        Files.writeString(file, markdown(FunctionCatalog.builtIn()));
    }

    /**
     * The page.
     *
     * @param catalog what it describes
     * @return Markdown
     */
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
        return each.aggregate() ? "left out" : each.takesNulls() ? "taken" : "null";
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
