package dev.millrace.cql.language.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when rules cannot be planned; contains all problems of all rules. */
public final class CqlException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final transient List<CqlProblem> problems;

    /**
     * @param problems at least one
     */
    public CqlException(final List<CqlProblem> problems)
    {
        this(problems, null);
    }

    /**
     * Creates an exception for an internal error.
     *
     * @param problems at least one
     * @param cause    cause, for the log; may be {@code null}
     */
    public CqlException(final List<CqlProblem> problems, final Throwable cause)
    {
        super(problems.stream().map(CqlProblem::toString).collect(Collectors.joining(System.lineSeparator())), cause);
        this.problems = List.copyOf(problems);
    }

    /** The problems, in order of the rules; not empty. */
    public List<CqlProblem> problems()
    {
        return problems;
    }
}
