package dev.millrace.command.migration;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The changes of a migration, and the problems that remain. Confined to the thread of the command. */
final class MigrationReport
{
    private final Map<String, Integer> mapped = new TreeMap<>();
    private final Set<String> removedImports = new TreeSet<>();
    private final Set<Problem> problems = new TreeSet<>(
        java.util.Comparator.comparing((Problem problem) -> problem.position().file())
            .thenComparingInt(problem -> problem.position().line()).thenComparing(Problem::code)
            .thenComparing(Problem::text));

    /** A file uses a class of the old API, which is mapped to another class. */
    void mapped(final String oldName, final String newName)
    {
        mapped.merge(oldName + " -> " + newName, 1, Integer::sum);
    }

    /** The manifest imported a package of the old API; called after all classes are mapped. */
    void removedImport(final String name)
    {
        if (mapped.keySet().stream().noneMatch(each -> each.startsWith(name + '.')))
        {
            removedImports.add(name);
        }
    }

    /** Something cannot be migrated; the same problem is reported once. */
    void problem(final String code, final SourcePosition position, final String text, final String hint)
    {
        problems.add(new Problem(code, position, text, hint, ""));
    }

    /** Reports a class without counterpart. */
    void noCounterpart(final SourcePosition position, final String oldName, final String hint)
    {
        problem("CMD-0280", position, "the class has no counterpart, class=" + oldName, hint);
    }

    /** Returns the lines for mapped classes, each with the number of files that use it. */
    Map<String, Integer> mapped()
    {
        return Collections.unmodifiableMap(mapped);
    }

    /** Returns the packages that the manifest imported although no class of the application uses them. */
    Set<String> removedImports()
    {
        return Collections.unmodifiableSet(removedImports);
    }

    /** Returns what is left to do, by file. */
    List<Problem> problems()
    {
        return new ArrayList<>(problems);
    }
}
