package dev.millrace.command.migration;

import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Maps the imports of a bundle: packages of the old API are replaced by those that the migrated classes use, and
 * versions of Spring, which were those of Oracle's server, are left out.
 */
record ManifestMigration(OldNames names, MigrationReport report)
{
    private static final String MANIFEST_VERSION = "Bundle-ManifestVersion";
    private static final String IMPORT = "Import-Package";
    private static final String DYNAMIC_IMPORT = "DynamicImport-Package";
    private static final String REQUIRE = "Require-Bundle";
    private static final String SPRING = "org.springframework.";
    /** Splits outside of quotes. */
    private static final Pattern COMMA = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
    private static final Pattern SEMICOLON = Pattern.compile(";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
    private static final Pattern VERSION = Pattern.compile("(?:specification-)?version\\s*=.*", Pattern.DOTALL);
    /** Packages that the bundle must import if its migrated classes use them; other imports stay as they are. */
    private static final List<String> PROVIDED = List.of("dev.millrace.", "jakarta.jms");

    /**
     * Changes a manifest.
     *
     * @param location of the file or entry, for messages
     * @param used     packages that the migrated classes and assembly files use
     */
    void migrate(final String location, final Manifest manifest, final Set<String> used)
    {
        final Attributes main = manifest.getMainAttributes();
        manifest.getEntries().values().forEach(entry ->
            entry.keySet().removeIf(key -> key.toString().endsWith("-Digest")));
        final String version = main.getValue(MANIFEST_VERSION);
        if (version != null && version.startsWith("2."))
        {
            // Some tools write 2.0.0, which frameworks reject.
            main.putValue(MANIFEST_VERSION, "2");
        }
        final Set<String> clauses = new LinkedHashSet<>();
        final Set<String> imported = new TreeSet<>();
        for (final String clause : clauses(main.getValue(IMPORT)))
        {
            final List<String> parts = List.of(SEMICOLON.split(clause));
            final List<String> packages = parts.stream().map(String::strip).filter(part -> !part.contains("="))
                .filter(name -> keeps(name, used)).toList();
            if (!packages.isEmpty())
            {
                imported.addAll(packages);
                clauses.add(clause(packages, parts, used));
            }
        }
        used.stream().filter(name -> PROVIDED.stream().anyMatch(name::startsWith))
            .filter(name -> !imported.contains(name)).forEach(clauses::add);
        set(main, IMPORT, clauses);
        set(main, DYNAMIC_IMPORT, clauses(main.getValue(DYNAMIC_IMPORT)).stream().filter(clause ->
            !names.isOldPackage(SEMICOLON.split(clause)[0].strip())).collect(Collectors.toSet()));
        for (final String clause : clauses(main.getValue(REQUIRE)))
        {
            final String bundle = SEMICOLON.split(clause)[0].strip();
            if (names.isOldPackage(bundle))
            {
                report.problem("CMD-0283", new SourcePosition(location, 0, 0),
                    "the manifest requires a bundle of Oracle's server, bundle=" + bundle,
                    "remove it from " + REQUIRE + "; packages of the API are imported");
            }
        }
    }

    private boolean keeps(final String name, final Set<String> used)
    {
        if (!names.isOldPackage(name))
        {
            return true;
        }
        if (!used.contains(name))
        {
            report.removedImport(name);
        }
        return false;
    }

    private static String clause(final List<String> packages, final List<String> parts, final Set<String> used)
    {
        final boolean isSpring = packages.get(0).startsWith(SPRING);
        final List<String> result = new ArrayList<>(packages);
        parts.stream().map(String::strip).filter(part -> part.contains("="))
            .filter(part -> !isSpring || !VERSION.matcher(part).matches()).forEach(result::add);
        if (isSpring && packages.stream().noneMatch(used::contains) && !String.join(";", parts).contains("resolution"))
        {
            result.add("resolution:=optional");
        }
        return String.join(";", result);
    }

    private static List<String> clauses(final String header)
    {
        return header == null || header.isBlank() ? List.of() :
            COMMA.splitAsStream(header).map(String::strip).filter(clause -> !clause.isEmpty()).toList();
    }

    private static void set(final Attributes main, final String name, final Set<String> clauses)
    {
        if (clauses.isEmpty())
        {
            main.remove(new Attributes.Name(name));
        }
        else
        {
            main.putValue(name, String.join(",", clauses));
        }
    }
}
