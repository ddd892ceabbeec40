package dev.millrace.cql.testkit;

import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A conformance case: inputs, rules, arrivals, and the expected rows or the expected refusal.
 *
 * @param origin      source of the expectation
 * @param feature     feature word
 * @param inputs      streams and relations
 * @param rules       views and queries in order of registration
 * @param arrivals    in order of arrival
 * @param expected    rows by query id; null when an error is expected
 * @param ordered     false when rows of one instant may be emitted in any order
 * @param expectError expected refusal, or null
 */
public record CaseFile(String name, String origin, String feature, List<Interpreter.Input> inputs,
    List<Interpreter.Rule> rules, List<Interpreter.Arrival> arrivals, Map<String, List<CaseRow>> expected,
    boolean ordered, String expectError)
{
    private static final Pattern KEY =
        Pattern.compile(",?\\s*primary\\s+key\\s*\\(([^)]*)\\)", Pattern.CASE_INSENSITIVE);
    private static final List<String> KEYS = List.of(
        "name", "origin", "feature", "streams", "queries", "input", "expect", "expect_error", "ordered");
    private static final int MAX_CODE_POINTS = 16 << 20;

    /**
     * Parses a case.
     *
     * @param text YAML
     * @throws IllegalArgumentException when it is not a case
     */
    public static CaseFile parse(final String text)
    {
        return ofTree(yaml().load(text));
    }

    /**
     * Reads a file of one or more cases, separated by lines of three dashes.
     *
     * @throws IOException when it cannot be read or contains something other than cases
     */
    public static List<CaseFile> readAll(final Path file) throws IOException
    {
        final List<CaseFile> cases = new ArrayList<>();
        try
        {
            yaml().loadAll(Files.readString(file, StandardCharsets.UTF_8)).forEach(tree -> cases.add(ofTree(tree)));
        }
        catch (final YAMLException | IllegalArgumentException | ArithmeticException | InvalidStatementException |
            RowEvaluationException wrong)
        {
            throw new IOException("no case file, file=" + file + " document=" + (cases.size() + 1) + " reason="
                + wrong.getMessage(), wrong);
        }
        if (cases.isEmpty())
        {
            throw new IOException("no case in file, file=" + file);
        }
        return cases;
    }

    private static Yaml yaml()
    {
        final LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CODE_POINTS);
        return new Yaml(new SafeConstructor(options));
    }

    private static CaseFile ofTree(final Object root)
    {
        if (!(root instanceof Map<?, ?> map))
        {
            throw new IllegalArgumentException("a case is a mapping");
        }
        checkKeys(map);
        final List<Interpreter.Input> inputs = new ArrayList<>();
        mapping(map.get("streams"), "streams").forEach((name, value) -> {
            final Map<?, ?> stream = mapping(value, "stream");
            inputs.add(input(name.toString(), isKind(stream, "stream", "relation"), text(stream, "schema")));
        });
        final List<Interpreter.Rule> rules = new ArrayList<>();
        if (!(map.get("queries") instanceof List<?> queries))
        {
            throw new IllegalArgumentException("queries is no list");
        }
        for (final Object value : queries)
        {
            final Map<?, ?> rule = mapping(value, "query");
            final Object schema = rule.get("schema");
            rules.add(new Interpreter.Rule(text(rule, "id"), isKind(rule, "query", "view"), text(rule, "text"),
                schema == null ? List.of() : List.of(schema.toString().trim().split("[\\s,]+"))));
        }
        final List<Interpreter.Arrival> arrivals = new ArrayList<>();
        for (final String line : lines(map.get("input")))
        {
            arrivals.add(parsed("input", line, () -> arrival(line, inputs)));
        }
        Map<String, List<CaseRow>> expected = null;
        if (map.get("expect") != null)
        {
            expected = new LinkedHashMap<>();
            for (final Map.Entry<?, ?> entry : mapping(map.get("expect"), "expect").entrySet())
            {
                expected.put(entry.getKey().toString(), lines(entry.getValue()).stream()
                    .map(line -> parsed("expect " + entry.getKey(), line, () -> CaseRow.parse(line))).toList());
            }
        }
        final Object error = map.get("expect_error");
        if (expected == null && error == null)
        {
            throw new IllegalArgumentException("neither expect nor expect_error");
        }
        return new CaseFile(string(map.get("name")), string(map.get("origin")), string(map.get("feature")), inputs,
            rules, arrivals, expected, !Boolean.FALSE.equals(map.get("ordered")),
            error == null ? null : error.toString());
    }

    /** Refuses a key that resembles a known one; other unknown keys are comments. */
    private static void checkKeys(final Map<?, ?> map)
    {
        for (final Object key : map.keySet())
        {
            final String meant = KEYS.contains(key.toString()) ? null : Suggestions.nearest(key.toString(), KEYS);
            if (meant != null)
            {
                throw new IllegalArgumentException("unknown key " + key + ", did you mean " + meant + "?");
            }
        }
    }

    /** Whether the kind is the second of two. */
    private static boolean isKind(final Map<?, ?> map, final String first, final String second)
    {
        final String kind = text(map, "kind");
        if (!kind.equals(first) && !kind.equals(second))
        {
            throw new IllegalArgumentException("kind is " + first + " or " + second + ", not " + kind);
        }
        return kind.equals(second);
    }

    private static <T> T parsed(final String part, final String line, final Supplier<T> parser)
    {
        try
        {
            return parser.get();
        }
        catch (final RuntimeException wrong)
        {
            final String reason = wrong instanceof IndexOutOfBoundsException ? "a part is missing" :
                wrong.getMessage() == null ? wrong.getClass().getSimpleName() : wrong.getMessage();
            throw new IllegalArgumentException("line of " + part + " cannot be read: " + line + " (" + reason + ")",
                wrong);
        }
    }

    private static String string(final Object value)
    {
        return value == null ? "" : value.toString();
    }

    private static Map<?, ?> mapping(final Object value, final String what)
    {
        if (value instanceof Map<?, ?> map)
        {
            return map;
        }
        throw new IllegalArgumentException(what + " is no mapping");
    }

    private static String text(final Map<?, ?> map, final String key)
    {
        if (map.get(key) == null)
        {
            throw new IllegalArgumentException(key + " is missing");
        }
        return map.get(key).toString();
    }

    private static List<String> lines(final Object value)
    {
        return value == null ? List.of() : value.toString().lines().map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    }

    /**
     * Parses the schema of an input.
     *
     * @param relation whether it is a relation
     * @param schema   "c1 int, c2 float, primary key(c1)"
     */
    public static Interpreter.Input input(final String name, final boolean relation, final String schema)
    {
        final Matcher key = KEY.matcher(schema);
        final List<String> keys = new ArrayList<>();
        if (key.find())
        {
            for (final String column : key.group(1).split(","))
            {
                keys.add(column.trim());
            }
        }
        final List<String> columns = new ArrayList<>();
        final List<Type> types = new ArrayList<>();
        for (final String part : KEY.matcher(schema).replaceAll("").split(","))
        {
            final String[] words = part.trim().split("\\s+", 2);
            if (words.length < 2)
            {
                throw new IllegalArgumentException("a column has a name and a type: " + schema);
            }
            columns.add(words[0]);
            types.add(Type.of(words[1]));
        }
        return new Interpreter.Input(name, relation, columns, types, keys);
    }

    private static Interpreter.Arrival arrival(final String line, final List<Interpreter.Input> inputs)
    {
        final String[] words = line.split("\\s+", 4);
        if (words.length < 3)
        {
            throw new IllegalArgumentException("neither row nor heartbeat: " + line);
        }
        final long time = CaseRow.time(words[0]);
        final Interpreter.Input input = inputs.stream().filter(i -> i.name().equalsIgnoreCase(words[1])).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no stream " + words[1]));
        if (words[2].toLowerCase(Locale.ROOT).equals("heartbeat"))
        {
            return new Interpreter.Arrival(time, input.name(), 'h', new Object[0]);
        }
        final Object[] values = CaseRow.values(words.length > 3 ? words[3] : "");
        if (values.length != input.types().size())
        {
            throw new IllegalArgumentException(values.length + " fields instead of " + input.types().size());
        }
        for (int i = 0; i < values.length; i++)
        {
            values[i] = value(values[i], input, i);
        }
        return new Interpreter.Arrival(time, input.name(), words[2].charAt(0), values);
    }

    private static Object value(final Object field, final Interpreter.Input input, final int column)
    {
        try
        {
            return CaseRow.typed(field, input.types().get(column));
        }
        catch (final RuntimeException wrong)
        {
            throw new IllegalArgumentException("no " + input.types().get(column).name().toLowerCase(Locale.ROOT) +
                " for column " + input.columns().get(column), wrong);
        }
    }

    /**
     * A copy of this case with the actual output as its expectation.
     *
     * @param rows by query id
     */
    public CaseFile expecting(final Map<String, List<CaseRow>> rows)
    {
        return new CaseFile(name, origin, feature, inputs, rules, arrivals, rows, ordered, null);
    }

    /** A copy of this case with other arrivals, without expectation. */
    public CaseFile over(final List<Interpreter.Arrival> others)
    {
        return new CaseFile(name, origin, feature, inputs, rules, others, Map.of(), ordered, null);
    }

    /** A copy of this case with other rules, without expectation. */
    public CaseFile with(final List<Interpreter.Rule> others)
    {
        return new CaseFile(name, origin, feature, inputs, others, arrivals, Map.of(), ordered, null);
    }

    /** The case as the YAML of a case file. */
    public String toYaml()
    {
        final StringBuilder out = new StringBuilder();
        out.append("name: ").append(name).append("\norigin: ").append(quoted(origin)).append("\nfeature: ")
            .append(feature).append("\nstreams:\n");
        for (final Interpreter.Input input : inputs)
        {
            final List<String> columns = new ArrayList<>();
            for (int i = 0; i < input.columns().size(); i++)
            {
                columns.add(input.columns().get(i) + " " + input.types().get(i).name().toLowerCase(Locale.ROOT)
                    .replace("char", "char(20)"));
            }
            if (!input.key().isEmpty())
            {
                columns.add("primary key(" + String.join(", ", input.key()) + ")");
            }
            out.append("  ").append(input.name()).append(": {kind: ").append(input.relation() ? "relation" : "stream")
                .append(", schema: \"").append(String.join(", ", columns)).append("\"}\n");
        }
        out.append("queries:\n");
        for (final Interpreter.Rule rule : rules)
        {
            out.append("  - {id: ").append(rule.id()).append(", kind: ").append(rule.view() ? "view" : "query");
            if (!rule.schema().isEmpty())
            {
                out.append(", schema: \"").append(String.join(" ", rule.schema())).append('"');
            }
            out.append(", text: ").append(quoted(rule.text())).append("}\n");
        }
        out.append("input: |\n");
        for (final Interpreter.Arrival arrival : arrivals)
        {
            out.append("  ").append(CaseRow.timeText(arrival.timeNs())).append(' ').append(arrival.input()).append(' ')
                .append(arrival.kind() == 'h' ? "heartbeat"
                    : arrival.kind() + " " + CaseRow.valuesText(arrival.values(), typesOf(arrival.input())))
                .append('\n');
        }
        if (expectError != null)
        {
            return out.append("expect_error: ").append(quoted(expectError)).append('\n').toString();
        }
        out.append("expect:\n");
        expected.forEach((id, rows) -> {
            out.append("  ").append(id).append(rows.isEmpty() ? ": \"\"\n" : ": |\n");
            rows.forEach(row -> out.append("    ").append(row).append('\n'));
        });
        return out.append("ordered: ").append(ordered).append('\n').toString();
    }

    private List<Type> typesOf(final String input)
    {
        return inputs.stream().filter(i -> i.name().equals(input)).findFirst().orElseThrow().types();
    }

    private static String quoted(final String text)
    {
        return "'" + text.replace("'", "''") + "'";
    }
}
