package dev.millrace.command.migration;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Finds the declarations of classes by internal name: those of the application, of the class path, and of the bundles
 * of a home directory. Not thread-safe.
 */
final class ClassIndex
{
    private static final String SUFFIX = ".class";

    private final Map<String, ClassSummary> own = new HashMap<>();
    private final Map<String, Optional<ClassSummary>> others = new HashMap<>();
    private final List<Path> jars;

    /**
     * @param home of the product; {@code null} to find only classes of the class path
     */
    ClassIndex(final Path home)
    {
        if (home == null || !Files.isDirectory(home.resolve("bundles")))
        {
            jars = List.of();
            return;
        }
        try (Stream<Path> files = Files.walk(home.resolve("bundles")))
        {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    void addOwn(final ClassSummary summary)
    {
        own.put(summary.name(), summary);
    }

    boolean isOwn(final String name)
    {
        return own.containsKey(name);
    }

    /** Returns a declaration, or {@code null} if the class is not found. */
    ClassSummary find(final String name)
    {
        final ClassSummary summary = own.get(name);
        return summary != null ? summary : others.computeIfAbsent(name, this::load).orElse(null);
    }

    private Optional<ClassSummary> load(final String name)
    {
        try (InputStream in = resource(name + SUFFIX))
        {
            if (in != null)
            {
                return Optional.of(ClassSummary.of(in.readAllBytes()));
            }
            for (final Path jar : name.startsWith("java/") ? List.<Path>of() : jars)
            {
                final byte[] bytes = entry(jar.toFile(), name + SUFFIX);
                if (bytes != null)
                {
                    return Optional.of(ClassSummary.of(bytes));
                }
            }
            return Optional.empty();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream resource(final String name)
    {
        final InputStream in = ClassIndex.class.getClassLoader().getResourceAsStream(name);
        return in != null ? in : ClassLoader.getSystemResourceAsStream(name);
    }

    private static byte[] entry(final File jar, final String name) throws IOException
    {
        try (ZipFile zip = new ZipFile(jar))
        {
            final var entry = zip.getEntry(name);
            if (entry == null)
            {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry))
            {
                return in.readAllBytes();
            }
        }
    }

    /**
     * Whether a class or one of its supertypes declares a member.
     *
     * @return true also if a supertype is not found, because it may declare the member
     */
    boolean declares(final String name, final Predicate<ClassSummary> member)
    {
        final ClassSummary summary = find(name);
        return summary == null || member.test(summary) ||
            summary.superName() != null && declares(summary.superName(), member) ||
            summary.interfaces().stream().anyMatch(each -> declares(each, member));
    }

    /** Returns the names of all supertypes of a class that are found, and its own. */
    Set<String> hierarchy(final String name)
    {
        final Set<String> names = new LinkedHashSet<>();
        collect(name, names);
        return names;
    }

    private void collect(final String name, final Set<String> names)
    {
        final ClassSummary summary = name == null ? null : find(name);
        if (summary != null && names.add(name))
        {
            collect(summary.superName(), names);
            summary.interfaces().forEach(each -> collect(each, names));
        }
    }
}
