package dev.millrace.cql.language.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the reference page of all functions, in Markdown. */
public final class FunctionReference
{
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
        final StringBuilder page = new StringBuilder(1 << 15);
        page.append("# Functions of CQL\n\nNames ignore case. A null argument makes the result null, unless the text ")
            .append("says otherwise. `*` is any type, `#` any type that has an order, the same at all places of a ")
            .append("line; `...` repeats the last argument. Failures reject the row.\n");
        String group = "";
        for (final FunctionDescription each : catalog.descriptions())
        {
            if (!each.group().equals(group))
            {
                group = each.group();
                page.append("\n## ").append(group).append(each.aggregate() ? ": aggregates" : "")
                    .append("\n\n| Call | Result | Meaning | Example |\n|---|---|---|---|\n");
            }
            page.append("| `").append(each.name()).append('(').append(each.arguments()).append(")` | `")
                .append(each.result()).append("` | ").append(each.text().replace("|", "\\|")).append(" | ")
                .append(example(each)).append(" |\n");
        }
        return page.toString();
    }

    private static String example(final FunctionDescription each)
    {
        if (each.example().isEmpty())
        {
            return "";
        }
        final String call = each.aggregate() ? "over " + each.example() : each.example();
        return '`' + call + " = " + each.expected() + '`';
    }
}
