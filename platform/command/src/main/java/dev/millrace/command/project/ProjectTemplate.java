package dev.millrace.command.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Files of new projects. In names and contents, {@code @key@} is replaced. */
enum ProjectTemplate
{
    /** Network, rules and a Java bean, built by Maven. */
    HELLO(Target.POM, Target.BND, Target.README + "hello-README.md", Target.CONTEXT + "hello-context.xml",
        Target.RULES + "rules.xml", Target.MAIN + "Fall.java=Fall.java",
        Target.MAIN + "FallLogger.java=FallLogger.java", Target.TEST + "FallLoggerTest.java=FallLoggerTest.java",
        Target.TEST + "FallsTest.java=FallsTest.java"),
    /** Network and rules, packed without a build tool. */
    NO_JAVA(Target.README + "no-java-README.md", "trades.csv=trades.csv", Target.CONTEXT + "no-java-context.xml",
        Target.RULES + "rules.xml"),
    /** A source with its own thread and a sink in Java, built by Maven. */
    ADAPTER(Target.POM, Target.BND, Target.README + "adapter/README.md", Target.CONTEXT + "adapter/context.xml",
        Target.RULES + "adapter/rules.xml", Target.MAIN + "SensorSource.java=adapter/SensorSource.java",
        Target.MAIN + "SimulatedSensor.java=adapter/SimulatedSensor.java",
        Target.MAIN + "AlarmSink.java=adapter/AlarmSink.java",
        Target.TEST + "SensorSourceTest.java=adapter/SensorSourceTest.java",
        Target.TEST + "AlarmsTest.java=adapter/AlarmsTest.java"),
    /** Patterns with time limits, and a test at virtual time, built by Maven. */
    PATTERN(Target.POM, Target.BND, Target.README + "pattern/README.md", Target.CONTEXT + "pattern/context.xml",
        Target.RULES + "pattern/rules.xml", Target.TEST + "LoginsTest.java=pattern/LoginsTest.java"),
    /** A stream joined with a cache that a loader fills, built by Maven. */
    CACHE(Target.POM, Target.BND, Target.README + "cache/README.md", Target.CONTEXT + "cache/context.xml",
        Target.RULES + "cache/rules.xml", "src/main/resources/products.csv=cache/products.csv",
        Target.MAIN + "Product.java=cache/Product.java",
        Target.MAIN + "ProductLoader.java=cache/ProductLoader.java",
        Target.TEST + "PricedOrdersTest.java=cache/PricedOrdersTest.java");

    /** Version of a new project. */
    static final String VERSION = "1.0.0";

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
    List<String> write(final Path directory, final ProjectName name, final Set<ProjectAdapter> adapters)
        throws IOException
    {
        final Map<String, String> files = new AddedAdapters(adapters).addTo(files(name), name.name());
        for (final Map.Entry<String, String> each : files.entrySet())
        {
            final Path path = directory.resolve(each.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, each.getValue(), StandardOpenOption.CREATE_NEW);
        }
        return List.copyOf(files.keySet());
    }

    /** Returns the contents of the files of a project by path. */
    Map<String, String> files(final ProjectName name) throws IOException
    {
        return files(UnaryOperator.identity(), Map.of("name", name.name(), "package", name.javaPackage(),
            "group", name.javaPackage(), "projectVersion", VERSION, "directory", name.packageDirectory()));
    }

    /**
     * Returns the contents of the files by path.
     *
     * @param escaping applied to contents before keys are replaced
     * @param names    values of the keys that depend on the project, in paths and contents
     * @throws IOException when a resource is missing
     */
    Map<String, String> files(final UnaryOperator<String> escaping, final Map<String, String> names) throws IOException
    {
        final Map<String, String> values = new LinkedHashMap<>(names);
        final Properties versions = new Properties();
        versions.load(new StringReader(resource(VERSIONS)));
        versions.forEach((key, value) -> values.put((String)key, (String)value));
        final Map<String, String> files = new LinkedHashMap<>();
        for (final Map.Entry<String, String> each : resources.entrySet())
        {
            files.put(replaced(each.getKey(), values), replaced(escaping.apply(resource(each.getValue())), values));
        }
        return files;
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

    /** Files and directories of projects, up to the name of the resource. */
    private static final class Target
    {
        static final String POM = "pom.xml=hello-pom.xml";
        static final String BND = "bnd.bnd=hello-bnd.bnd";
        static final String README = "README.md=";
        static final String CONTEXT = "src/main/resources/META-INF/spring/@name@.context.xml=";
        static final String RULES = "src/main/resources/META-INF/wlevs/@name@.xml=";
        static final String MAIN = "src/main/java/@directory@/";
        static final String TEST = "src/test/java/@directory@/";

        private Target()
        {
        }
    }
}
