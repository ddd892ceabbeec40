package dev.millrace.cql.language.problem;

import java.util.Objects;

/**
 * A problem with a rule, for its author to correct. Immutable.
 *
 * @param code      stable code, for example {@code CQL-2002}
 * @param ruleId    id of the view or query
 * @param line      line in the rule's text, starting at 1; 0 when the problem is in an attribute of the rule
 * @param column    column of the first character, starting at 1; in an attribute, counted within its value
 * @param endLine   line of the last character
 * @param endColumn column of the last character
 * @param text      description of the problem
 * @param hint      advice; may be empty
 * @param excerpt   source line and a second line with carets under the position
 * @param attribute name of the attribute that contains the problem; empty when it is in the text
 */
public record CqlProblem(
    String code,
    String ruleId,
    int line,
    int column,
    int endLine,
    int endColumn,
    String text,
    String hint,
    String excerpt,
    String attribute)
{
    /** Checks the arguments. */
    public CqlProblem
    {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(ruleId, "ruleId");
        Objects.requireNonNull(text, "text");
        hint = hint == null ? "" : hint;
        excerpt = excerpt == null ? "" : excerpt;
        attribute = attribute == null ? "" : attribute;
    }

    /** Severity of the code. */
    public Message.Severity severity()
    {
        final Message message = Message.byCode(code);
        return message == null ? Message.Severity.ERROR : message.severity();
    }

    /**
     * The documentation of the code.
     *
     * @return page and anchor; empty when the code is not in the message catalog
     */
    public String documentation()
    {
        final Message message = Message.byCode(code);
        return message == null ? "" : message.documentation();
    }

    @Override
    public String toString()
    {
        final StringBuilder shown = new StringBuilder(code).append(' ').append(ruleId);
        if (line > 0)
        {
            shown.append(':').append(line).append(':').append(column);
        }
        shown.append(": ").append(text);
        if (!hint.isEmpty())
        {
            shown.append("; ").append(hint);
        }
        if (!excerpt.isEmpty())
        {
            shown.append(System.lineSeparator()).append(excerpt);
        }
        return shown.toString();
    }
}
