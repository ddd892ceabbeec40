package dev.millrace.cql.language.functions;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.NumericLiteral;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks constant arguments of regular expression functions at deployment. Stateless. */
public final class RegexpCheck
{
    private RegexpCheck()
    {
    }

    /**
     * Compiles a pattern.
     *
     * @return error message, or {@code null} if the pattern is valid
     */
    public static String problem(final String pattern)
    {
        try
        {
            Pattern.compile(pattern);
            return null;
        }
        catch (final PatternSyntaxException wrong)
        {
            return wrong.getDescription();
        }
        catch (final StackOverflowError tooDeep)
        {
            return "it is nested too deeply";
        }
    }

    /**
     * Checks a call.
     *
     * @param function  lower-case name
     * @param arguments syntax trees
     * @throws CqlRuleException if a constant is invalid
     */
    public static void check(final String function, final List<SqlNode> arguments)
    {
        final boolean isReplace = function.equals("regexp_replace");
        if (!isReplace && !function.equals("regexp_extract") || arguments.size() < 2 ||
            !(arguments.get(1) instanceof SqlCharStringLiteral literal))
        {
            return;
        }
        final String pattern = literal.getValueAs(String.class);
        final String problem = problem(pattern);
        if (problem != null)
        {
            throw refusal("the pattern", function, problem, literal.getParserPosition());
        }
        if (arguments.size() < 3)
        {
            return;
        }
        final SqlNode third = arguments.get(2);
        if (isReplace && third instanceof SqlCharStringLiteral replacement)
        {
            checkReplacement(pattern, replacement.getValueAs(String.class), replacement.getParserPosition());
        }
        final int groups = Pattern.compile(pattern).matcher("").groupCount();
        if (!isReplace && third instanceof NumericLiteral number && number.number().longValue() > groups)
        {
            throw refusal("the group", function, "the pattern has " + groups + " groups", third.getParserPosition());
        }
    }

    /** Replaces the matches of a pattern with the same groups in an empty string. */
    private static void checkReplacement(final String pattern, final String replacement, final SqlParserPos position)
    {
        final String always = "(?:" + pattern + "\n)|";
        final Matcher matcher = problem(always) == null ? Pattern.compile(always).matcher("") : null;
        try
        {
            if (matcher != null && matcher.find())
            {
                matcher.appendReplacement(new StringBuilder(), replacement);
            }
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException wrong)
        {
            throw refusal("the replacement", "regexp_replace", wrong.getMessage(), position);
        }
    }

    private static CqlRuleException refusal(
        final String what, final String function, final String problem, final SqlParserPos position)
    {
        return new CqlRuleException(Message.BAD_REGEXP, position, what, function, problem);
    }
}
