package dev.millrace.cql.language.problem;

import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Aborts the work on one rule: the problem and its position. It is converted to a {@link CqlProblem} before any caller
 * receives it.
 *
 * <p>It is unchecked because it passes through Calcite's code.
 */
public final class CqlRuleException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final Message message;
    private final transient SqlParserPos position;
    private final String text;
    private final String hint;

    /**
     * @param message   message from the catalog
     * @param position  position; {@code null} for the rule as a whole
     * @param arguments values of the placeholders in text and hint
     */
    public CqlRuleException(final Message message, final SqlParserPos position, final Object... arguments)
    {
        this(message, position, message.text(arguments), message.hint(arguments), null);
    }

    private CqlRuleException(
        final Message message, final SqlParserPos position, final String text, final String hint, final Throwable cause)
    {
        super(text, cause, false, false);
        this.message = message;
        this.position = position;
        this.text = text;
        this.hint = hint;
    }

    /**
     * A copy with another hint.
     *
     * @param better the hint; {@code null} keeps the current one
     */
    public CqlRuleException withHint(final String better)
    {
        return better == null ? this : new CqlRuleException(message, position, text, better, getCause());
    }

    /** The message. */
    public Message message()
    {
        return message;
    }

    /** The position in the rule's text, or {@code null}. */
    public SqlParserPos position()
    {
        return position;
    }

    /** The description with its arguments. */
    public String text()
    {
        return text;
    }

    /** The hint with its arguments; may be empty. */
    public String hint()
    {
        return hint;
    }

    /**
     * Converts the refusal to a problem of a rule.
     *
     * @return problem with an excerpt of the rule's text
     */
    public CqlProblem problemOf(final RuleText rule)
    {
        final SqlParserPos shown = position == null || position.getLineNum() == 0 ? wholeOf(rule.text()) : position;
        return new CqlProblem(message.code(), rule.id(), shown.getLineNum(), shown.getColumnNum(),
            shown.getEndLineNum(), shown.getEndColumnNum(), text, hint, Excerpts.of(rule.text(), shown), "");
    }

    /**
     * Converts the refusal to a problem of an attribute of a rule.
     *
     * @param attribute attribute name
     * @return problem with line 0
     */
    public CqlProblem problemOf(final RuleText rule, final String attribute, final String value)
    {
        final int start = position == null ? 1 : position.getColumnNum();
        final int end = position == null ? Math.max(1, value.length()) : position.getEndColumnNum();
        return new CqlProblem(message.code(), rule.id(), 0, start, 0, end, text, hint,
            Excerpts.ofAttribute(attribute, value, start, end), attribute);
    }

    private static SqlParserPos wholeOf(final String text)
    {
        int line = 1;
        int column = 1;
        for (int i = 0; i < text.length() && Character.isWhitespace(text.charAt(i)); i++)
        {
            if (text.charAt(i) == '\n')
            {
                line++;
                column = 1;
            }
            else
            {
                column++;
            }
        }
        return new SqlParserPos(line, column);
    }
}
