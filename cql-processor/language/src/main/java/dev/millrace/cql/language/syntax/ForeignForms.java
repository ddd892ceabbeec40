package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.NumericLiteral;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;

/** Syntax of other products, with the equivalent form in CQL. Stateless. */
public final class ForeignForms
{
    private static final Pattern LITERAL = Pattern.compile("\\s*([0-9.]+)\\s*");
    private static final String FUNCTIONS =
        "tumble|hop|cumulate|session|tumbling|hopping|tumblingwindow|hoppingwindow";
    private static final String BATCH = "[range %1$s slide %1$s]";

    private ForeignForms()
    {
    }

    /** A hint for LIMIT and FETCH FIRST, or {@code null}. */
    static String limit(final TokenStream tokens, final boolean ordered)
    {
        int number = 0;
        if (tokens.at("limit"))
        {
            number = 1;
        }
        else if (tokens.at("fetch", "first") || tokens.at("fetch", "next"))
        {
            number = 2;
        }
        return number == 0 || tokens.peek(number).kind() != Token.Kind.NUMBER ? null
            : rows(tokens.peek(number), ordered);
    }

    /** A hint for TOP, or {@code null}. */
    static String top(final TokenStream tokens)
    {
        return tokens.at("top") && tokens.peek(1).kind() == Token.Kind.NUMBER ? rows(tokens.peek(1), false) : null;
    }

    private static String rows(final Token number, final boolean ordered)
    {
        return ordered ? "write rows " + number.text() + " after the columns of ORDER BY"
            : "write order by COLUMN rows " + number.text() + " at the end of the select";
    }

    /** Whether a source has the name of an SQL window function: {@code tumble(...)}. */
    static boolean isWindowFunction(final String name)
    {
        return name.toLowerCase(Locale.ROOT).matches('(' + FUNCTIONS + ')');
    }

    /**
     * A hint for {@code tumble(...)} and similar functions when the first token of the name is next, or {@code null}.
     */
    static String windowFunction(final TokenStream tokens)
    {
        if (!isWindowFunction(tokens.peek().text()) || !tokens.peek(1).is("("))
        {
            return null;
        }
        String source = "S";
        for (int i = 2; tokens.peek(i).kind() == Token.Kind.WORD && i < 4; i++)
        {
            source = tokens.peek(i).is("table") ? source : tokens.peek(i).text();
        }
        return windowFunction(tokens.peek().text(), source, lengths(tokens, 2));
    }

    /** A hint for an SQL window function with its durations in the order of the text. */
    static String windowFunction(final String name, final String source, final List<String> lengths)
    {
        final String first = lengths.isEmpty() ? "5 seconds" : lengths.get(0);
        final String last = lengths.isEmpty() ? "10 seconds" : lengths.get(lengths.size() - 1);
        final String kind = name.toLowerCase(Locale.ROOT);
        if (kind.startsWith("session"))
        {
            return "write " + source + "[session gap " + last + " partition by KEY] in FROM";
        }
        if (kind.startsWith("hop"))
        {
            return "write " + source + "[range " + last + " slide " + first + "] in FROM";
        }
        return "write " + source + BATCH.formatted(last) + " in FROM";
    }

    /**
     * A hint for a call that is a function in other products.
     *
     * @param name      name of an unknown function
     * @param arguments arguments of the call
     * @return equivalent form in CQL, or {@code null}
     */
    public static String call(final String name, final List<SqlNode> arguments)
    {
        final String plain = name.toLowerCase(Locale.ROOT).replaceFirst("_(start|end|rowtime|proctime)$", "");
        if (isWindowFunction(plain))
        {
            final List<String> lengths = new ArrayList<>();
            for (final SqlNode argument : arguments)
            {
                if (argument instanceof NumericLiteral literal && literal.cqlType() == CqlType.INTERVAL)
                {
                    lengths.add(shown(literal.bigDecimalValue().longValueExact()));
                }
            }
            final String form = windowFunction(plain, "S", lengths);
            final String bound = name.toLowerCase(Locale.ROOT).endsWith("_start") ? "window_start()" :
                name.toLowerCase(Locale.ROOT).endsWith("_end") ? "window_end()" : null;
            return bound == null ? form : form + ", and " + bound + " in the select list";
        }
        return switch (plain)
        {
            case "samplestandarddeviation" -> "write sqrt(sampleVariance(x))";
            case "split_index", "strtok", "split" ->
                "write split_part(text, separator, n); parts are counted from 1";
            case "regexp_matches", "regexp_like", "regexp", "similar", "rlike" ->
                "write text like 'regular expression', or regexp_extract(text, 'regular expression')";
            case "regexp_substr" -> "write regexp_extract(text, 'regular expression')";
            case "windowstart" -> "write window_start()";
            case "windowend" -> "write window_end()";
            default -> null;
        };
    }

    /** A hint for {@code function(...) OVER (...)}. */
    static String over(final String function)
    {
        return switch (function.toLowerCase(Locale.ROOT))
        {
            case "row_number" -> "number the rows of a sub-query: select .. from (select .., row_number() over " +
                "(partition by KEY order by COLUMN desc) as rn from S) as t where t.rn <= 3";
            case "rank", "dense_rank" -> "write order by COLUMN desc rows N partition by KEY at the end of the " +
                "select for the first N rows of each KEY; rows have no ranks";
            case "lag", "lead", "first_value", "last_value" ->
                "write a pattern with prev, first or last: MATCH_RECOGNIZE";
            default -> "write the rows that count as a window in FROM, for example S [rows 10], " +
                "S [partition by KEY rows 10] or S [range 10 seconds]";
        };
    }

    /**
     * A hint for an Oracle window that follows the calendar.
     *
     * @param window name of an unknown window
     * @return equivalent form in CQL, or {@code null}
     */
    public static String calendar(final String window)
    {
        return switch (window.toLowerCase(Locale.ROOT))
        {
            case "currenthour" -> "calendar windows are not supported; write [range 1 hour slide 1 hour]";
            case "currentperiod" -> "calendar windows are not supported; write [range 8 hours slide 8 hours] with " +
                "the length of the period";
            default -> null;
        };
    }

    private static String shown(final long ns)
    {
        final String[] names = {"day", "hour", "minute", "second", "millisecond", "microsecond"};
        final long[] lengths =
            {86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};
        for (int i = 0; i < names.length; i++)
        {
            if (ns != 0 && ns % lengths[i] == 0)
            {
                return TimeUnitNames.length(Long.toString(ns / lengths[i]), names[i]);
            }
        }
        return ns + " nanoseconds";
    }

    /** A hint for {@code S#time(5 sec)}, {@code S#window.time(5 sec)}, {@code S.win:time(5 sec)}, or {@code null}. */
    static String view(final TokenStream tokens, final Token source)
    {
        final int mark = source.text().indexOf('#');
        final StringBuilder kind = new StringBuilder(mark < 0 ? "" : source.text().substring(mark + 1));
        int at = 0;
        while (at < 6 && !tokens.peek(at).is("(") && (tokens.peek(at).kind() == Token.Kind.WORD ||
            tokens.peek(at).is(".") || tokens.peek(at).is(":")))
        {
            kind.append(tokens.peek(at).text());
            at++;
        }
        final String full = kind.toString().toLowerCase(Locale.ROOT);
        final boolean esper = full.startsWith(".win:") || full.startsWith(".std:") || full.startsWith(".ext:");
        if (mark <= 0 && !esper || !tokens.peek(at).is("("))
        {
            return null;
        }
        final String name = mark > 0 ? source.text().substring(0, mark) : source.text();
        return of(name, full.replaceFirst("^(\\.win:|\\.std:|\\.ext:|window\\.)", ""), tokens, at + 1);
    }

    private static String of(final String source, final String view, final TokenStream tokens, final int at)
    {
        final List<String> lengths = lengths(tokens, at);
        final String time = lengths.isEmpty() ? "5 seconds" : lengths.get(0);
        final String argument = tokens.peek(at).is(")") ? "" : tokens.peek(at).text();
        final String form = switch (view.replace("_", ""))
        {
            case "time", "exttimed", "externaltime" -> "[range " + time + ']';
            case "timebatch", "exttimedbatch", "externaltimebatch" -> BATCH.formatted(time);
            case "length" -> "[rows " + (argument.isEmpty() ? "100" : argument) + ']';
            case "lengthbatch" -> "[rows %1$s slide %1$s]".formatted(argument.isEmpty() ? "100" : argument);
            case "unique", "groupwin" -> "[partition by " + (argument.isEmpty() ? "COLUMN" : argument) + " rows 1]";
            case "lastevent" -> "[rows 1]";
            case "keepall" -> "[range unbounded]";
            default -> null;
        };
        return form == null ? "write windows in brackets after the source, for example " + source + "[range 5 seconds]"
            : "write " + source + form;
    }

    /** The durations among the arguments of a call, in CQL syntax. */
    private static List<String> lengths(final TokenStream tokens, final int from)
    {
        final List<String> lengths = new ArrayList<>();
        int open = 1;
        for (int i = from; open > 0 && tokens.peek(i).kind() != Token.Kind.END; i++)
        {
            final Token token = tokens.peek(i);
            open += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            final boolean literal = token.kind() == Token.Kind.STRING && tokens.peek(i - 1).is("interval") &&
                LITERAL.matcher(token.text()).matches();
            if (token.kind() == Token.Kind.NUMBER || literal)
            {
                final Token next = tokens.peek(i + 1);
                final String unit = next.kind() == Token.Kind.WORD ? TimeUnitNames.fullName(next.text()) : null;
                if (unit != null || TimeUnitNames.isUnit(next))
                {
                    lengths.add(TimeUnitNames.length(token.text().strip(), unit == null ? next.text() : unit));
                }
            }
        }
        return lengths;
    }

    /** The regular expression for an SQL LIKE pattern; {@code null} if it does not look like one. */
    static String likeOfSql(final String pattern)
    {
        if (pattern.indexOf('%') < 0 && !pattern.endsWith("_") || pattern.matches("(?s).*[\\^$*+\\\\\\[].*"))
        {
            return null;
        }
        final StringBuilder expression = new StringBuilder("^");
        for (int i = 0; i < pattern.length(); i++)
        {
            final char c = pattern.charAt(i);
            expression.append(c == '%' ? ".*" : c == '_' ? "." :
                ".?(){}|".indexOf(c) < 0 ? String.valueOf(c) : "\\" + c);
        }
        final String whole = expression.append('$').toString();
        final String open = whole.startsWith("^.*") ? whole.substring(3) : whole;
        return open.endsWith(".*$") ? open.substring(0, open.length() - 3) : open;
    }
}
