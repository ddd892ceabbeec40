package dev.millrace.cql.testkit.docs;

import dev.millrace.cql.testkit.CaseFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An example of a document: sources, rules, and a table with a line per time, with arriving rows in the columns of the
 * sources and emitted rows in those of the queries; or, instead of the table, the refusal.
 *
 * <pre>
 *   stream Ticks (symbol char, price double)
 *   relation Limits (symbol char, most double, primary key (symbol))
 *
 *   query dear as select symbol from Ticks where price > 10;
 *
 *   time | Ticks     | dear
 *   1000 | AAA, 12.5 | + AAA
 *        | BBB, 3    |
 *   2000 | heartbeat |
 *   start is the beginning of time; an empty time is the one above.
 *
 *   refused CQL-2002 TICKS has no column x
 * </pre>
 */
final class RowExample
{
    private static final Pattern SOURCE =
        Pattern.compile("(stream|relation)\\s+(\\w+)\\s*\\((.*)\\)\\s*", Pattern.DOTALL);
    private static final Pattern RULE =
        Pattern.compile("(view|query)\\s+(\\w+)\\s*(?:\\(([^()]*)\\))?\\s+as\\s+(.*)", Pattern.DOTALL);
    private static final String REFUSED = "refused ";
    private static final String BEGINNING = Long.toString(Long.MIN_VALUE);

    private final Fence fence;
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final StringBuilder yaml = new StringBuilder("name: example\norigin: document\nfeature: document\n");
    private final StringBuilder input = new StringBuilder();
    private final Map<String, StringBuilder> outputs = new LinkedHashMap<>();
    private String refusal;

    private RowExample(final Fence fence)
    {
        this.fence = fence;
    }

    /** Reads an example. */
    static RowExample of(final Fence fence)
    {
        final RowExample example = new RowExample(fence);
        example.read();
        return example;
    }

    /** Expected refusal, code first; {@code null} when the example must run. */
    String refusal()
    {
        return refusal;
    }

    /** The example as a case. */
    CaseFile toCase()
    {
        final StringBuilder text = new StringBuilder(yaml);
        if (refusal != null)
        {
            return CaseFile.parse(text.append("expect_error: refused\n").toString());
        }
        text.append("ordered: ").append(!fence.has("unordered")).append("\ninput: |\n").append(input)
            .append("expect:\n");
        outputs.forEach((query, rows) ->
            text.append("  ").append(query).append(rows.isEmpty() ? ": \"\"\n" : ": |\n").append(rows));
        return CaseFile.parse(text.toString());
    }

    private void read()
    {
        int at = 0;
        yaml.append("streams:\n");
        final List<String> lines = fence.lines();
        final StringBuilder rules = new StringBuilder();
        while (at < lines.size() && !lines.get(at).startsWith(REFUSED) && !lines.get(at).matches("time\\s*\\|.*"))
        {
            final Matcher source = SOURCE.matcher(lines.get(at));
            if (source.matches())
            {
                sources.put(source.group(2), source.group(1));
                yaml.append("  ").append(source.group(2)).append(": {kind: ").append(source.group(1))
                    .append(", schema: \"").append(source.group(3)).append("\"}\n");
            }
            else
            {
                rules.append(lines.get(at)).append('\n');
            }
            at++;
        }
        readRules(rules.toString());
        if (at == lines.size())
        {
            throw problem("example has neither a table nor a refusal");
        }
        if (lines.get(at).startsWith(REFUSED))
        {
            refusal = lines.get(at).substring(REFUSED.length()).strip();
            return;
        }
        readTable(lines.subList(at, lines.size()));
    }

    private void readRules(final String text)
    {
        yaml.append("queries:\n");
        for (final String part : text.split(";"))
        {
            if (part.isBlank())
            {
                continue;
            }
            final Matcher rule = RULE.matcher(part.strip());
            if (!rule.matches())
            {
                throw problem("no rule: " + part);
            }
            yaml.append("  - {id: ").append(rule.group(2)).append(", kind: ").append(rule.group(1));
            if (rule.group(3) != null)
            {
                yaml.append(", schema: \"").append(rule.group(3).replace(',', ' ')).append('"');
            }
            yaml.append(", text: '").append(rule.group(4).replaceAll("\\s+", " ").replace("'", "''")).append("'}\n");
        }
    }

    private void readTable(final List<String> lines)
    {
        final String[] heads = lines.get(0).split("\\|");
        for (int i = 1; i < heads.length; i++)
        {
            heads[i] = heads[i].strip();
            if (!sources.containsKey(heads[i]))
            {
                outputs.put(heads[i], new StringBuilder());
            }
        }
        String time = "";
        for (final String line : lines.subList(1, lines.size()))
        {
            final String[] cells = line.split("\\|");
            if (cells.length > heads.length)
            {
                throw problem("line of the table has too many cells: " + line);
            }
            time = cells[0].isBlank() ? time : cells[0].strip().replace("start", BEGINNING);
            final List<Integer> filled = new ArrayList<>();
            for (int i = 1; i < cells.length; i++)
            {
                if (!cells[i].isBlank())
                {
                    filled.add(i);
                    readCell(time, heads[i], cells[i].strip());
                }
            }
            if (filled.isEmpty() && !line.isBlank())
            {
                throw problem("line of the table is empty: " + line);
            }
        }
    }

    private void readCell(final String time, final String head, final String cell)
    {
        final StringBuilder out = outputs.get(head);
        if (out != null)
        {
            if (!cell.startsWith("+ ") && !cell.startsWith("- "))
            {
                throw problem("row that comes out has neither + nor -: " + cell);
            }
            out.append("    ").append(time).append(' ').append(cell).append('\n');
            return;
        }
        final boolean hasKind = cell.equals("heartbeat") || cell.matches("[-+U] .*");
        input.append("  ").append(time).append(' ').append(head).append(' ').append(hasKind ? "" : "+ ").append(cell)
            .append('\n');
    }

    private IllegalStateException problem(final String text)
    {
        return new IllegalStateException(fence.place() + ": " + text);
    }
}
