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
 * Collects problems and warnings of files so that they are reported together, each with its source line. Not
 * thread-safe.
 */
public final class Problems
{
    /** Maximum number of problems; further ones are dropped. */
    public static final int MAX_PROBLEMS = 100;

    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Map<String, SourceText> sources = new HashMap<>();
    private final List<String> fileOrder = new ArrayList<>();

    /**
     * Registers a file; problems are reported in the order of registration.
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
     * Registers the content of a file, for excerpts.
     *
     * @param source content of a file
     */
    public void source(final SourceText source)
    {
        file(source.name());
        sources.put(source.name(), source);
    }

    /**
     * Adds a problem.
     *
     * @param code     stable code
     * @param position where
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step, may be empty
     */
    public void add(final AssemblyErrorCode code, final SourcePosition position, final String text, final String hint)
    {
        add(code.code(), position, text, hint);
    }

    /**
     * Adds a problem.
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
     * Adds a problem, with the source line when it has none.
     *
     * @param problem the problem
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
     * Adds a warning: a setting that is accepted and has another effect than in Oracle Event Processing, or none.
     *
     * @param position where
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step
     */
    public void warn(final SourcePosition position, final String text, final String hint)
    {
        warn(AssemblyErrorCode.OTHER_EFFECT, position, text, hint);
    }

    /**
     * Adds a warning.
     *
     * @param code     stable code
     * @param position where
     * @param text     lower-case fact with {@code name=value} pairs
     * @param hint     next step
     */
    public void warn(
        final AssemblyErrorCode code, final SourcePosition position, final String text, final String hint)
    {
        final Problem warning = withExcerpt(new Problem(code.code(), position, text, hint, ""));
        if (warnings.size() < MAX_PROBLEMS && !warnings.contains(warning))
        {
            warnings.add(warning);
        }
    }

    /**
     * The warnings in order of file, line and column.
     *
     * @return a copy
     */
    public List<Problem> warnings()
    {
        return sorted(warnings);
    }

    /**
     * Adds all problems of an exception.
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
     * @param problem the problem
     * @return the same with an excerpt, if the content of the file is known
     */
    public Problem withExcerpt(final Problem problem)
    {
        final SourceText source = sources.get(problem.position().file());
        return source == null || !problem.excerpt().isEmpty() ? problem : new Problem(
            problem.code(), problem.position(), problem.text(), problem.hint(), source.excerpt(problem.position()));
    }

    /**
     * Whether a problem was reported at a position.
     *
     * @param position position
     * @return true when there is one
     */
    public boolean hasProblemAt(final SourcePosition position)
    {
        return problems.stream().anyMatch(problem -> problem.position().equals(position));
    }

    /**
     * Whether a file could not be read, so that its declarations are missing everywhere else.
     *
     * @return true with a problem of its XML
     */
    public boolean hasUnreadableFile()
    {
        return problems.stream().anyMatch(problem -> problem.code().startsWith("EPN-11"));
    }

    /**
     * Whether there are no problems.
     *
     * @return true without problems
     */
    public boolean isEmpty()
    {
        return problems.isEmpty();
    }

    /**
     * Throws all problems in order of file, line and column; does nothing without problems.
     *
     * @throws DeploymentException with all problems
     */
    public void throwIfAny() throws DeploymentException
    {
        if (!problems.isEmpty())
        {
            throw new DeploymentException(sorted(problems));
        }
    }

    private List<Problem> sorted(final List<Problem> found)
    {
        final List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.<Problem>comparingInt(problem -> fileOrder.indexOf(problem.position().file()))
            .thenComparingInt(problem -> problem.position().line())
            .thenComparingInt(problem -> problem.position().column()));
        return sorted;
    }
}
