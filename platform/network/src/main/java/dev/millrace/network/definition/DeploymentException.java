package dev.millrace.network.definition;

import java.util.List;

/**
 * Thrown when an application is refused: describes the problems, their positions, and what to do. All problems found
 * are reported together.
 */
public class DeploymentException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * One problem.
     *
     * @param code     stable code, for example {@code EPN-0104} or {@code CQL-0201}
     * @param position where; {@link SourcePosition#NONE} when it has no position
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     what to do next; empty when the text contains it
     * @param excerpt  source line and caret line; empty when the source is not known
     */
    public record Problem(String code, SourcePosition position, String text, String hint, String excerpt)
    {
        /**
         * Formats the problem for users.
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
     * Creates an exception with several problems.
     *
     * @param problems at least one
     */
    public DeploymentException(final List<Problem> problems)
    {
        this(problems, null);
    }

    /**
     * Creates an exception with several problems and a cause.
     *
     * @param problems at least one
     * @param cause    underlying exception, or {@code null}
     */
    public DeploymentException(final List<Problem> problems, final Throwable cause)
    {
        super(String.join("\n", problems.stream().map(Problem::format).toList()), cause);
        this.problems = List.copyOf(problems);
    }

    /**
     * Creates an exception with one problem.
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
     * Returns the problems.
     *
     * @return immutable list, at least one
     */
    public List<Problem> problems()
    {
        return problems;
    }
}
