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
