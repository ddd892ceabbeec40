package dev.millrace.cql.language;

import java.util.List;
import java.util.stream.Collectors;

/** Rules that cannot be planned, with everything that is wrong with them. */
public final class CqlException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final transient List<CqlProblem> problems;

    /**
     * Makes an exception.
     *
     * @param problems at least one
     */
    public CqlException(final List<CqlProblem> problems)
    {
        this(problems, null);
    }

    /**
     * Makes an exception for a failure of our own.
     *
     * @param problems at least one
     * @param cause    what failed, for the log; may be {@code null}
     */
    public CqlException(final List<CqlProblem> problems, final Throwable cause)
    {
        super(problems.stream().map(CqlProblem::toString).collect(Collectors.joining(System.lineSeparator())), cause);
        this.problems = List.copyOf(problems);
    }

    /**
     * What is wrong, in order of the rules.
     *
     * @return immutable list, not empty
     */
    public List<CqlProblem> problems()
    {
        return problems;
    }
}
