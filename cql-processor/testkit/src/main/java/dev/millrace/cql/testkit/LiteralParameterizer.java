package dev.millrace.cql.testkit;

import dev.millrace.cql.language.problem.RuleText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts the numbers of a statement to placeholders and binds them to the same values. */
final class LiteralParameterizer
{
    private static final String PARAMS = "p1";
    private static final Pattern PIECE = Pattern.compile(
        "\"[^\"]*\"|'[^']*'|\\{[^}]*\\}|order by [^()]*|using \\([^)]*\\)|[A-Za-z_][A-Za-z0-9_]*|"
            + "(?<number>\\d+(?:\\.\\d+)?[fFdDlL]?)");

    private LiteralParameterizer()
    {
    }

    /**
     * Numbers in bounds of quantifiers, ORDER BY and DIFFERENCE USING are kept.
     *
     * @param query without placeholders
     * @return an equivalent query with another id; the query itself when it has no number
     */
    static RuleText of(final RuleText query)
    {
        final List<String> values = new ArrayList<>();
        final Matcher matcher = PIECE.matcher(query.text());
        final StringBuilder text = new StringBuilder();
        while (matcher.find())
        {
            final String number = matcher.group("number");
            if (number != null)
            {
                values.add(number);
            }
            matcher.appendReplacement(text,
                number == null ? Matcher.quoteReplacement(matcher.group()) : ":" + values.size());
        }
        matcher.appendTail(text);
        return values.isEmpty() ? query
            : new RuleText(query.id(), query.view(), text.toString(), query.schema(), query.orderingConstraint(),
                query.partitionExpression()).bound(PARAMS, values);
    }

    /** The id that a query had before it was bound. */
    static String idOf(final String id)
    {
        return id.endsWith("_" + PARAMS) ? id.substring(0, id.length() - PARAMS.length() - 1) : id;
    }
}
