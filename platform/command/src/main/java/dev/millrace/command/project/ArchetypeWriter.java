package dev.millrace.command.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes the templates of {@code app new} as files of a Maven archetype, for the build of that archetype. All templates
 * with a pom.xml are in one archetype, each in a directory; a script of the archetype moves the selected one to the
 * project. Stateless.
 */
public final class ArchetypeWriter
{
    private static final String POUND = "${symbol_pound}";

    private static final String DOLLAR = "${symbol_dollar}";

    private static final String ESCAPE = "${symbol_escape}";

    /** Defines these variables. */
    private static final String SYMBOLS =
        "#set( $symbol_pound = '#' )\n#set( $symbol_dollar = '$' )\n#set( $symbol_escape = '\\' )\n";

    /** Files that all templates share. */
    private static final List<String> SHARED = List.of("pom.xml", "bnd.bnd");

    private static final List<ProjectTemplate> TEMPLATES = List.of(
        ProjectTemplate.HELLO, ProjectTemplate.ADAPTER, ProjectTemplate.PATTERN, ProjectTemplate.CACHE);

    /** In the archetype, the plugin replaces these; it adds the directories of the package itself. */
    private static final Map<String, String> NAMES = Map.of("name", "${artifactId}", "package", "${package}",
        "group", "${groupId}", "projectVersion", "${version}", "directory", "");

    private ArchetypeWriter()
    {
    }

    /**
     * Writes the resources of the archetype, and projects for its integration test.
     *
     * @param args directory of the resources, and directory of the projects
     * @throws IOException when a file cannot be written
     */
    public static void main(final String[] args) throws IOException
    {
        final Path resources = Path.of(args[0]).resolve("archetype-resources");
        for (final ProjectTemplate template : TEMPLATES)
        {
            for (final Map.Entry<String, String> file :
                template.files(ArchetypeWriter::escaped, NAMES).entrySet())
            {
                final String name = file.getKey().replace("//", "/").replace("${artifactId}", "__artifactId__");
                write(SHARED.contains(name) ? resources.resolve(name)
                    : resources.resolve(template.toString()).resolve(name), file.getValue());
            }
            writeTest(Path.of(args[1]).resolve(template.toString()), template);
        }
    }

    /** Replaces the characters that Velocity interprets by variables, as archetypes usually do. */
    private static String escaped(final String text)
    {
        final StringBuilder escaped = new StringBuilder();
        text.chars().forEach(character -> escaped.append(switch (character)
        {
            case '#' -> POUND;
            case '$' -> DOLLAR;
            case '\\' -> ESCAPE;
            default -> String.valueOf((char)character);
        }));
        return escaped.length() == text.length() ? text : SYMBOLS + escaped;
    }

    /** Writes a project that the archetype must create: exactly what {@code app new} creates. */
    private static void writeTest(final Path directory, final ProjectTemplate template) throws IOException
    {
        final ProjectName name = new ProjectName("falls.alert", "com.acme.falls");
        write(directory.resolve("archetype.properties"), """
            artifactId=%s
            groupId=%s
            package=%s
            version=%s
            template=%s
            """.formatted(name.name(), name.javaPackage(), name.javaPackage(), ProjectTemplate.VERSION, template));
        // No goals: the tests of the command build these projects.
        write(directory.resolve("goal.txt"), "");
        for (final Map.Entry<String, String> file : template.files(name).entrySet())
        {
            write(directory.resolve("reference").resolve(file.getKey()), file.getValue());
        }
    }

    private static void write(final Path file, final String content) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
