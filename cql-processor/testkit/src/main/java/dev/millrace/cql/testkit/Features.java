package dev.millrace.cql.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Parts of the language that the cases of a comparison used, and how often they emitted rows.
 *
 * <p>Thread-safe.
 */
public final class Features
{
    private static final Map<String, Pattern> PATTERNS = new LinkedHashMap<>();
    private static final String[] FEATURES = {
        "[now]", "\\[now\\]",
        "[range]", "\\[range (?!until)[^\\]]*(?<!unbounded)\\]",
        "[range slide]", "\\[range [^\\]]* slide ",
        "[range unbounded]", "\\[range unbounded",
        "[range on]", "\\[range [^\\]]* on ",
        "[range on] of a time", "\\[range [^\\]]* on ts",
        "[rows]", "\\[rows \\d+\\]",
        "[rows slide]", "\\[rows \\d+ slide",
        "[partition by rows]", "\\[partition by [^\\]]*rows \\d+\\]",
        "[partition by rows range]", "\\[partition by [^\\]]*rows \\d+ range",
        "[range until]", "\\[range until ", "[session]", "\\[session gap [^\\]]*\\]",
        "bounds of windows", "\\bwindow_(start|end)\\(",
        "[session partition by]", "\\[session gap [^\\]]* partition by",
        "istream", "istream\\(", "dstream", "dstream\\(", "rstream", "rstream\\(",
        "difference using", "difference using", "evaluate every", "evaluate every",
        "distinct", "select distinct", "where", " where ", "group by", "group by", "having", " having ",
        "aggregates", "\\b(sum|avg|min|max|count)\\((?!\\w+\\.\\*)", "distinct aggregates", "\\w\\(distinct ",
        "filter of an aggregate", " filter \\(where ",
        "statistics", "\\b(mean|product|sumofsquares|variance|standarddeviation|median|rms)\\(",
        "first, last, listagg", "select s.k, first\\(",
        "order by", " order by ", "top-n", " rows \\d+( |\\)|$)(?!slide)", "top-n partition",
        " rows \\d+ partition by ", "row_number", "row_number\\(\\) over ",
        "comma join", " from [^()]*, ", "join of three", " from \\w+[^(),]*, \\w+[^(),]*, ",
        "left outer join", "left outer join", "right outer join", "right outer join",
        "chain of outer joins", "outer join .* outer join",
        "look-back join", "from s \\[now\\] as s left outer join s ",
        "union", " union \\(", "union all", " union all ", "except", " except ", "minus", " minus ",
        "intersect", " intersect ", "in", "\\) in \\(", "not in", "\\) not in \\(",
        "sub-query", "from \\(", "two queries", "query two", "view", "view w1", "chained views", "view w2",
        "relation", "input t relation", "relation with key", "primary key",
        "case", "\\bcase ", "decode", "decode\\(", "between", " between ", "in list", " in \\([^s]", "like", " like ",
        "xor", " xor ", "is null", " is (not )?null", "||", "\\|\\|", "element_time", "element_time",
        "bigint", "\\.bi\\b", "float", "\\.fl\\b", "bigdecimal", "\\.de\\b", "timestamp", "\\.ts\\b",
        "interval", "\\.iv\\b|interval \"", "boolean", "\\.ok\\b",
        "text functions", "\\b(substr|instr|replace|l?trim|rtrim|lpad|rpad|upper|lower|length|concat|initcap)\\(",
        "regular expressions", "\\bregexp_(extract|replace)\\(", "parts of strings", "\\bsplit_part\\(",
        "null functions", "\\b(nvl2?|coalesce|nullif|greatest|least)\\(",
        "conversions", "\\bto_\\w+\\(", "mathematics", "\\b(sqrt|abs\\d?|mod|floor1?|ceil1?|round1?|pow|atan|exp)\\(",
        "division by zero", "/ \\(|/ s\\.v",
        "match_recognize", "match_recognize", "pattern partition by", "match_recognize \\(partition",
        "all matches", "all matches", "within", " within ", "within inclusive", "within inclusive",
        "duration", " duration (?!multiples)", "duration multiples of", "duration multiples",
        "subset", " subset ", "permute", "permute\\(", "exclusion", "\\{-", "empty pattern", "\\(\\)",
        "counted quantifier", "\\{\\d*,?\\d*\\}", "reluctant quantifier", "[*+?}]\\?",
        "skip to next row", "skip to next row", "skip to first", "skip to first", "skip to last",
        "skip to (last|[abc])", "one row per match", "one row per match", "all rows per match", "all rows per match",
        "unmatched rows", "with unmatched", "omit empty", "omit empty", "running", "running ", "final", "final ",
        "prev", "prev\\(", "first", "first\\(", "last", "last\\(", "classifier", "classifier\\(",
        "match_number", "match_number\\(", "next", "next\\(", "classifier of another row",
        "(first|last|prev|next)\\(classifier\\(", "aggregate of classifier", "(listagg|distinct)[ (]classifier\\(",
        "aggregate of match_number", "sum\\(match_number\\(", "quantifier without bounds", "\\{,\\}",
        "loop of optional rounds", "\\w[*?]\\??\\)[*+{]", "duration by column",
        "duration (multiples of )?(\\w\\.)?[vk]\\b",
        "count of no argument", "count\\(\\)", "bytes", "hextoraw\\(", "cast of bigdecimal",
        "cast\\([^()]*\\.de[^()]* as ", "cast to bigdecimal", " as bigdecimal\\)", "cast of interval",
        "cast\\([^()]*\\.iv[^()]* as ", "cast to interval", " as interval\\)",
        "columns of the source", "select (m\\.)?(\\*|[ocvk],).* all rows per match"};

    static
    {
        for (int i = 0; i < FEATURES.length; i += 2)
        {
            PATTERNS.put(FEATURES[i], Pattern.compile(FEATURES[i + 1]));
        }
    }

    private final Map<String, long[]> counts = new LinkedHashMap<>();

    public Features()
    {
        PATTERNS.keySet().forEach(name -> counts.put(name, new long[3]));
        for (final String variant : new String[] {"bindings", "total order", "planned as flows",
            "planned fused", "split"})
        {
            counts.put(variant, new long[3]);
        }
    }

    /** The names of the features that statements can use. */
    static Set<String> names()
    {
        return PATTERNS.keySet();
    }

    /** The features that a case's statements use. */
    static List<String> of(final CaseFile file)
    {
        final StringBuilder text = new StringBuilder();
        file.inputs().forEach(input -> text.append("input ").append(input.name())
            .append(input.relation() ? " relation" : "").append(input.key().isEmpty() ? "" : " primary key")
            .append('\n'));
        int queries = 0;
        for (final dev.millrace.cql.testkit.interpreter.Interpreter.Rule rule : file.rules())
        {
            queries += rule.view() ? 0 : 1;
            text.append(rule.view() ? "view " + rule.id() : queries > 1 ? "query two" : "").append(" : ")
                .append(rule.text()).append('\n');
        }
        final String all = text.toString().toLowerCase(Locale.ROOT);
        final List<String> names = new ArrayList<>();
        PATTERNS.forEach((name, pattern) -> {
            if (pattern.matcher(all).find())
            {
                names.add(name);
            }
        });
        return names;
    }

    /** Counts a query. */
    synchronized void query(final List<String> names)
    {
        names.forEach(name -> counts.get(name)[0]++);
    }

    /** Counts a case. */
    synchronized void add(final List<String> names, final boolean hasRows)
    {
        names.forEach(name -> {
            counts.get(name)[1]++;
            counts.get(name)[2] += hasRows ? 1 : 0;
        });
    }

    /** The table, a line per feature: name, queries, cases, percentage of the cases that emitted rows. */
    public synchronized List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-28s %9s %10s %9s", "feature", "queries", "cases", "with rows"));
        counts.forEach((name, count) -> lines.add(String.format(Locale.ROOT, "%-28s %9d %10d %8.1f%%", name, count[0],
            count[1], count[1] == 0 ? 0.0 : 100.0 * count[2] / count[1])));
        return lines;
    }
}
