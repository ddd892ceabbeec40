package dev.millrace.command.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Files of new projects. In names and contents, {@code @key@} is replaced. */
enum ProjectTemplate
{
    /** Network, rules and a Java bean, built by Maven. */
    HELLO("README.md=hello-README.md", "pom.xml=hello-pom.xml", "bnd.bnd=hello-bnd.bnd",
        "src/main/resources/META-INF/spring/@name@.context.xml=hello-context.xml",
        "src/main/resources/META-INF/wlevs/@name@.xml=rules.xml",
        "src/main/java/@directory@/Fall.java=Fall.java", "src/main/java/@directory@/FallLogger.java=FallLogger.java",
        "src/test/java/@directory@/FallLoggerTest.java=FallLoggerTest.java",
        "src/test/java/@directory@/FallsTest.java=FallsTest.java"),
    /** Network and rules, packed without a build tool. */
    NO_JAVA("README.md=no-java-README.md", "trades.csv=trades.csv",
        "src/main/resources/META-INF/spring/@name@.context.xml=no-java-context.xml",
        "src/main/resources/META-INF/wlevs/@name@.xml=rules.xml");

    /** Versions of the product and of what a build needs; the build of this module sets them. */
    private static final String VERSIONS = "versions.properties";

    private final Map<String, String> resources = new LinkedHashMap<>();

    ProjectTemplate(final String... files)
    {
        for (final String file : files)
        {
            final int end = file.indexOf('=');
            resources.put(file.substring(0, end), file.substring(end + 1));
        }
    }

    /** Returns the name on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Writes the files. The directory must not contain any of them.
     *
     * @return the files, relative to the directory
     * @throws IOException when a file exists or cannot be written
     */
    List<String> write(final Path directory, final ProjectName name) throws IOException
    {
        final Map<String, String> values = values(name);
        final List<String> written = new ArrayList<>();
        for (final Map.Entry<String, String> each : resources.entrySet())
        {
            final String file = replaced(each.getKey(), values);
            final Path path = directory.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, replaced(resource(each.getValue()), values), StandardOpenOption.CREATE_NEW);
            written.add(file);
        }
        return written;
    }

    private static Map<String, String> values(final ProjectName name) throws IOException
    {
        final Properties versions = new Properties();
        versions.load(new StringReader(resource(VERSIONS)));
        final Map<String, String> values = new LinkedHashMap<>();
        versions.forEach((key, value) -> values.put((String)key, (String)value));
        values.put("name", name.name());
        values.put("package", name.javaPackage());
        values.put("directory", name.packageDirectory());
        return values;
    }

    private static String replaced(final String template, final Map<String, String> values)
    {
        String text = template;
        for (final Map.Entry<String, String> value : values.entrySet())
        {
            text = text.replace("@" + value.getKey() + "@", value.getValue());
        }
        return text;
    }

    private static String resource(final String name) throws IOException
    {
        try (InputStream in = ProjectTemplate.class.getResourceAsStream(name))
        {
            if (in == null)
            {
                throw new IOException("resource is missing: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
