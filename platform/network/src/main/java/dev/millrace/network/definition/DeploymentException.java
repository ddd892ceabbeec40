package dev.millrace.network.definition;

import java.util.List;

/**
 * Refuses an application: what is wrong, where, and what to do about it. All problems found are reported together.
 */
public class DeploymentException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * One thing that is wrong.
     *
     * @param code     stable code, for example {@code EPN-0104} or {@code CQL-0201}
     * @param position where; {@link SourcePosition#NONE} when it has no place
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     what to do next; empty when the text says it
     * @param excerpt  source line and caret line; empty when there are none
     */
    public record Problem(String code, SourcePosition position, String text, String hint, String excerpt)
    {
        /**
         * The problem as a user reads it.
         *
         * @return one to four lines
         */
        public String format()
        {
            final StringBuilder out = new StringBuilder(160);
            out.append(position).append(": ").append(code).append(": ").append(text);
            if (!excerpt.isEmpty())
            {
                out.append('\n').append(excerpt);
            }
            if (!hint.isEmpty())
            {
                out.append("\n    hint: ").append(hint);
            }
            return out.toString();
        }
    }

    /**
     * Refuses for several reasons.
     *
     * @param problems at least one
     */
    public DeploymentException(final List<Problem> problems)
    {
        this(problems, null);
    }

    /**
     * Refuses for several reasons.
     *
     * @param problems at least one
     * @param cause    exception behind it, or {@code null}
     */
    public DeploymentException(final List<Problem> problems, final Throwable cause)
    {
        super(String.join("\n", problems.stream().map(Problem::format).toList()), cause);
        this.problems = List.copyOf(problems);
    }

    /**
     * Refuses for one reason.
     *
     * @param code     stable code
     * @param position where
     * @param text     fact
     * @param hint     next step
     */
    public DeploymentException(
        final String code, final SourcePosition position, final String text, final String hint)
    {
        this(List.of(new Problem(code, position, text, hint, "")));
    }

    /**
     * What is wrong.
     *
     * @return immutable list, at least one
     */
    public List<Problem> problems()
    {
        return problems;
    }
}
