package dev.millrace.cql.testkit.command;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.problem.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads statements from a file: separated by semicolons, each a query or, with a head, a named view or query:
 * {@code view NAME (column, column) as select ...}. Lines that begin with {@code --} are comments; they are blanked, so
 * that positions in messages stay correct.
 */
final class RuleFile
{
    private static final Pattern HEAD = Pattern.compile(
        "(?is)\\s*(view|query)\\s+([\\p{L}_][\\p{L}\\p{N}_$#]*)\\s*(?:\\(([^()]*)\\))?\\s+as\\b(.*)");
    private static final Pattern REMARK = Pattern.compile("(?m)^\\s*--.*$");

    private static final List<String> HEADS = List.of("view", "query");
    private static final Pattern FIRST_WORD = Pattern.compile("^\\s*([\\p{L}]+)\\s+[\\p{L}\\p{N}_$#]+\\s");

    private RuleFile()
    {
    }

    static List<RuleText> read(final Path file)
    {
        try
        {
            return parse(Files.readString(file), file.toString());
        }
        catch (final IOException failure)
        {
            throw new ToolException("CMD-0301", "file of statements cannot be read, file=" + file + " cause=" +
                failure, "specify the path of a file with CQL statements");
        }
    }

    static List<RuleText> parse(final String text, final String name)
    {
        final List<RuleText> rules = new ArrayList<>();
        int from = 0;
        final String plain = REMARK.matcher(text).replaceAll(remark -> " ".repeat(remark.group().length()));
        while (from < plain.length())
        {
            final int end = endOfStatement(plain, from);
            final String statement = plain.substring(from, end);
            if (!statement.isBlank())
            {
                rules.add(rule(blanked(plain, from) + statement, rules.size() + 1, name));
            }
            from = end + 1;
        }
        if (rules.stream().allMatch(RuleText::view))
        {
            throw new ToolException("CMD-0302", "file has no query, file=" + name,
                "write a statement, or 'query NAME as STATEMENT;' after the views");
        }
        return rules;
    }

    /**
     * Replaces the text before a statement by blanks with the same line breaks, so that its position is that in the
     * file.
     */
    private static String blanked(final String text, final int length)
    {
        return text.substring(0, length).replaceAll("[^\\n]", " ");
    }

    /** The next semicolon outside of quotes, or the end. */
    private static int endOfStatement(final String text, final int from)
    {
        char quote = 0;
        for (int i = from; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (quote != 0)
            {
                quote = c == quote ? 0 : quote;
            }
            else if (c == '\'' || c == '"' || c == '`')
            {
                quote = c;
            }
            else if (c == ';')
            {
                return i;
            }
        }
        return text.length();
    }

    private static RuleText rule(final String text, final int number, final String file)
    {
        final Matcher head = HEAD.matcher(text);
        if (!head.matches())
        {
            checkNoHead(text, file);
            return RuleText.query("q" + number, text);
        }
        final String statement = blanked(text, head.start(4)) + head.group(4);
        final boolean isView = head.group(1).equalsIgnoreCase("view");
        final List<String> schema = new ArrayList<>();
        if (head.group(3) != null)
        {
            for (final String column : head.group(3).split(",", -1))
            {
                if (column.isBlank())
                {
                    throw wrongHead(text, file, "");
                }
                schema.add(column.strip());
            }
        }
        return isView ? RuleText.view(head.group(2), statement, schema.toArray(new String[0])) :
            RuleText.query(head.group(2), statement);
    }

    /** Refuses a statement that begins like a head, but is not one. */
    private static void checkNoHead(final String text, final String file)
    {
        final Matcher word = FIRST_WORD.matcher(text);
        if (!word.find())
        {
            return;
        }
        if (HEADS.contains(word.group(1).toLowerCase(Locale.ROOT)))
        {
            throw wrongHead(text, file, "");
        }
        final String meant = Suggestions.didYouMean(word.group(1), HEADS);
        if (meant != null)
        {
            throw wrongHead(text, file, meant + " ");
        }
    }

    private static ToolException wrongHead(final String text, final String file, final String meant)
    {
        final String stripped = text.stripLeading();
        final long line = text.substring(0, text.length() - stripped.length()).chars().filter(c -> c == '\n').count();
        return new ToolException("CMD-0313", "a name for a statement is not of the form 'query NAME as' or " +
            "'view NAME (COLUMN, COLUMN) as', location=" + file + ":" + (line + 1) + " text=" +
            stripped.lines().findFirst().orElse("").strip(), meant + "write for example: view v (a, b) as select ...");
    }
}
