package dev.millrace.assembly.problem;

import dev.millrace.assembly.xml.SourceText;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what is wrong with files so that it is reported together, each with its source line. For one thread.
 */
public final class Problems
{
    /** Greatest number of problems that are kept; more than this help nobody. */
    public static final int MAX_PROBLEMS = 100;

    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, SourceText> sources = new HashMap<>();
    private final List<String> fileOrder = new ArrayList<>();

    /**
     * Makes the place of a file among the others known; problems are told in this order.
     *
     * @param name name of the file
     */
    public void file(final String name)
    {
        if (!fileOrder.contains(name))
        {
            fileOrder.add(name);
        }
    }

    /**
     * Makes the lines of a file known, for excerpts.
     *
     * @param source text of a file
     */
    public void source(final SourceText source)
    {
        file(source.name());
        sources.put(source.name(), source);
    }

    /**
     * Notes a problem.
     *
     * @param code     stable code
     * @param position where
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step, may be empty
     */
    public void add(final AssemblyCode code, final SourcePosition position, final String text, final String hint)
    {
        add(code.code(), position, text, hint);
    }

    /**
     * Notes a problem.
     *
     * @param code     stable code
     * @param position where
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step, may be empty
     */
    public void add(final String code, final SourcePosition position, final String text, final String hint)
    {
        add(new Problem(code, position, text, hint, ""));
    }

    /**
     * Notes a problem; adds the source line when it has none.
     *
     * @param problem what is wrong
     */
    public void add(final Problem problem)
    {
        final Problem complete = withExcerpt(problem);
        if (problems.size() < MAX_PROBLEMS && !problems.contains(complete))
        {
            problems.add(complete);
        }
    }

    /**
     * Notes all problems of an exception.
     *
     * @param refused exception
     */
    public void addAll(final DeploymentException refused)
    {
        refused.problems().forEach(this::add);
    }

    /**
     * Adds the source line to a problem that has none.
     *
     * @param problem what is wrong
     * @return the same with an excerpt, as far as the file is known
     */
    public Problem withExcerpt(final Problem problem)
    {
        final SourceText source = sources.get(problem.position().file());
        return source == null || !problem.excerpt().isEmpty() ? problem : new Problem(
            problem.code(), problem.position(), problem.text(), problem.hint(), source.excerpt(problem.position()));
    }

    /**
     * Whether a problem was noted at a place.
     *
     * @param position place
     * @return true when there is one
     */
    public boolean hasProblemAt(final SourcePosition position)
    {
        return problems.stream().anyMatch(problem -> problem.position().equals(position));
    }

    /**
     * Whether a file could not be read, so that what it would declare is missing everywhere else.
     *
     * @return true with a problem of its XML
     */
    public boolean hasUnreadableFile()
    {
        return problems.stream().anyMatch(problem -> problem.code().startsWith("EPN-11"));
    }

    /**
     * Whether nothing is wrong.
     *
     * @return true without problems
     */
    public boolean isEmpty()
    {
        return problems.isEmpty();
    }

    /**
     * Throws all problems in order of file, line and column; does nothing when there are none.
     *
     * @throws DeploymentException with all problems
     */
    public void throwIfAny() throws DeploymentException
    {
        if (!problems.isEmpty())
        {
            final List<Problem> sorted = new ArrayList<>(problems);
            sorted.sort(Comparator.<Problem>comparingInt(problem -> fileOrder.indexOf(problem.position().file()))
                .thenComparingInt(problem -> problem.position().line())
                .thenComparingInt(problem -> problem.position().column()));
            throw new DeploymentException(sorted);
        }
    }
}
