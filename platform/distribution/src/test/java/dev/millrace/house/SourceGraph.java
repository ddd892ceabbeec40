package dev.millrace.house;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which main source file uses which: by an import, or by the simple name of a type of its package. */
final class SourceGraph
{
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+)");
    private static final Pattern NOT_CODE =
        Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"");
    private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*");

    /** Names of files by package, sorted. */
    final Map<String, Set<String>> packages = new TreeMap<>();

    private final Map<String, Set<String>> uses = new TreeMap<>();

    private SourceGraph()
    {
    }

    static SourceGraph read()
    {
        final SourceGraph graph = new SourceGraph();
        final Map<String, String> sources = new TreeMap<>();
        for (final String module : SourceTree.modules())
        {
            for (final Path file : SourceTree.java(module + "/src/main/java"))
            {
                final String source = SourceTree.read(file);
                final Matcher matcher = PACKAGE.matcher(source);
                final String name = file.getFileName().toString().replace(".java", "");
                if (matcher.find() && !name.equals("package-info") && !name.equals("module-info"))
                {
                    graph.packages.computeIfAbsent(matcher.group(1), each -> new TreeSet<>()).add(name);
                    sources.put(matcher.group(1) + '.' + name, source);
                }
            }
        }
        sources.forEach(graph::add);
        return graph;
    }

    private void add(final String type, final String source)
    {
        final Set<String> used = new TreeSet<>();
        final Set<String> imported = new HashSet<>();
        for (final Matcher matcher = IMPORT.matcher(source); matcher.find();)
        {
            final String name = matcher.group(1);
            imported.add(name.substring(name.lastIndexOf('.') + 1));
            final String file = file(name);
            if (file != null)
            {
                used.add(file);
            }
        }
        final String inside = type.substring(0, type.lastIndexOf('.'));
        final String code = NOT_CODE.matcher(source).replaceAll(" ");
        for (final Matcher matcher = WORD.matcher(code); matcher.find();)
        {
            if (packages.get(inside).contains(matcher.group()) && !imported.contains(matcher.group()))
            {
                used.add(inside + '.' + matcher.group());
            }
        }
        used.remove(type);
        uses.put(type, used);
    }

    /** The file that declares an imported type or member; {@code null} for one of a library. */
    private String file(final String imported)
    {
        for (int end = imported.length(); end > 0; end = imported.lastIndexOf('.', end - 1))
        {
            final String name = imported.substring(0, end);
            final int dot = name.lastIndexOf('.');
            if (dot > 0 && packages.getOrDefault(name.substring(0, dot), Set.of()).contains(name.substring(dot + 1)))
            {
                return name;
            }
        }
        return null;
    }

    /** Groups of files that use each other, directly or not. */
    List<Set<String>> fileCycles()
    {
        return cycles(uses);
    }

    /** Groups of packages that use each other, directly or not. */
    List<Set<String>> packageCycles()
    {
        final Map<String, Set<String>> arrows = new TreeMap<>();
        uses.forEach((type, used) -> arrows
            .computeIfAbsent(type.substring(0, type.lastIndexOf('.')), each -> new TreeSet<>())
            .addAll(used.stream().map(each -> each.substring(0, each.lastIndexOf('.'))).collect(Collectors.toSet())));
        return cycles(arrows);
    }

    /** Two nodes are in one cycle when each reaches the other. */
    static List<Set<String>> cycles(final Map<String, Set<String>> arrows)
    {
        final Map<String, Set<String>> reached = new HashMap<>();
        arrows.keySet().forEach(node -> reached.put(node, reached(arrows, arrows.get(node))));
        final List<Set<String>> cycles = new ArrayList<>();
        final Set<String> done = new HashSet<>();
        for (final String node : arrows.keySet())
        {
            final Set<String> cycle = reached.get(node).stream()
                .filter(other -> !other.equals(node) && reached.getOrDefault(other, Set.of()).contains(node))
                .collect(Collectors.toCollection(TreeSet::new));
            if (!cycle.isEmpty() && !done.contains(node))
            {
                cycle.add(node);
                done.addAll(cycle);
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    private static Set<String> reached(final Map<String, Set<String>> arrows, final Collection<String> from)
    {
        final Set<String> seen = new HashSet<>(from);
        final Deque<String> open = new ArrayDeque<>(from);
        while (!open.isEmpty())
        {
            for (final String next : arrows.getOrDefault(open.pop(), Set.of()))
            {
                if (seen.add(next))
                {
                    open.push(next);
                }
            }
        }
        return seen;
    }
}
