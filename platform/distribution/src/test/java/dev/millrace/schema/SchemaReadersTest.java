package dev.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.assembly.config.ConfigurationReader;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.schema.SchemaModel.Node;
import dev.millrace.server.config.ServerConfigurationReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schemas of configuration files and of config.xml declare exactly what the readers accept. In each element that a
 * schema declares, the test writes every name that occurs in the sources of the readers, each on a line of its own, and
 * reads the file.
 */
@Timeout(60)
class SchemaReadersTest
{
    private static final Path SCHEMAS = Path.of("src/main/home/xsd");
    private static final Pattern NAME = Pattern.compile("\"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\"");
    /** A reader stops at a number of problems. */
    private static final int NAMES_PER_FILE = 40;
    private static final Set<String> UNKNOWN = Set.of(AssemblyErrorCode.UNKNOWN_ELEMENT.code(),
        AssemblyErrorCode.UNKNOWN_ATTRIBUTE.code(), "SRV-0109");
    /** The name is known, but the element is never accepted. */
    private static final Set<String> REFUSED = Set.of(AssemblyErrorCode.NOT_AVAILABLE.code(),
        AssemblyErrorCode.CONTRADICTION.code(), "SRV-0157");
    /** Accepted with a certain content. */
    private static final Set<String> CONDITIONAL = Set.of("trace-parameters");
    /** The reader looks for known names in these elements, and ignores others. */
    private static final Set<String> UNCHECKED =
        Set.of("properties", "jndi-names", "key-store-pass", "trust-store-pass");

    @TempDir
    private Path directory;

    /** An element in which names are tried. */
    private record Place(List<Node> path)
    {
        Node node()
        {
            return path.get(path.size() - 1);
        }

        String name()
        {
            return path.stream().map(Node::name).collect(Collectors.joining("/"));
        }

        private static String open(final Node node, final String prefix, final String attributes)
        {
            final StringBuilder tag = new StringBuilder("<" + prefix + node.name());
            node.children().stream().filter(child -> child.isAttribute() && child.isRequired())
                .forEach(child -> tag.append(' ').append(child.name()).append("=\"x\""));
            return tag.append(attributes).append('>').toString();
        }

        /** Everything on the first line, except the content. */
        String file(final String prefix, final String attributes, final String content)
        {
            final StringBuilder text = new StringBuilder();
            for (int i = 0; i < path.size(); i++)
            {
                final Node node = path.get(i);
                text.append(open(node, i == 0 ? prefix : "", i == path.size() - 1 ? attributes : ""));
                if (i > 0 && node.children().stream().anyMatch(child -> child.name().equals("name") &&
                    !child.isAttribute()))
                {
                    text.append("<name>x</name>");
                }
                if (node.name().equals("cluster"))
                {
                    // Without it, the reader ignores all others.
                    text.append("<enabled>true</enabled>");
                }
            }
            text.append(content);
            for (int i = path.size() - 1; i >= 0; i--)
            {
                text.append("</").append(i == 0 ? prefix : "").append(path.get(i).name()).append('>');
            }
            return text.toString();
        }
    }

    private static List<Place> places(final List<Node> above, final Node node)
    {
        final List<Node> path = new ArrayList<>(above);
        path.add(node);
        final List<Place> places = new ArrayList<>();
        if (!node.isText() && !node.isOpen())
        {
            places.add(new Place(List.copyOf(path)));
            node.children().stream().filter(child -> !child.isAttribute())
                .forEach(child -> places.addAll(places(path, child)));
        }
        return places;
    }

    private static List<String> names(final Path sources) throws IOException
    {
        try (Stream<Path> files = Files.list(sources))
        {
            final Set<String> names = new TreeSet<>();
            for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList())
            {
                NAME.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
            }
            return List.copyOf(names);
        }
    }

    private static Set<String> declared(final Place place, final boolean isAttribute)
    {
        return place.node().children().stream().filter(child -> child.isAttribute() == isAttribute).map(Node::name)
            .filter(name -> isAttribute || !name.equals("name")).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names that a reader accepts in an element, without the name of a component, which is always written. */
    private static Set<String> accepted(final Place place, final List<String> names,
        final Function<String, List<Problem>> reader, final String prefix)
    {
        final Set<String> accepted = new TreeSet<>();
        for (int from = 0; from < names.size(); from += NAMES_PER_FILE)
        {
            final List<String> tried = names.subList(from, Math.min(from + NAMES_PER_FILE, names.size())).stream()
                .filter(name -> !name.equals("name")).toList();
            final String content =
                tried.stream().map(name -> "\n<" + name + "/>").collect(Collectors.joining()) + "\n";
            final List<Problem> problems = reader.apply(place.file(prefix, "", content));
            for (int i = 0; i < tried.size(); i++)
            {
                final int line = i + 2;
                final String name = tried.get(i);
                final Predicate<Problem> refuses = problem -> problem.position().line() == line &&
                    (UNKNOWN.contains(problem.code()) || REFUSED.contains(problem.code()) &&
                        !CONDITIONAL.contains(name));
                if (problems.stream().noneMatch(refuses))
                {
                    accepted.add(name);
                }
            }
        }
        return accepted;
    }

    private static Set<String> acceptedAttributes(final Place place, final List<String> names,
        final Function<String, List<Problem>> reader, final String prefix)
    {
        final Set<String> accepted = new TreeSet<>();
        final Set<String> required = place.node().children().stream().filter(Node::isRequired).map(Node::name)
            .collect(Collectors.toSet());
        for (int from = 0; from < names.size(); from += NAMES_PER_FILE)
        {
            final List<String> tried = names.subList(from, Math.min(from + NAMES_PER_FILE, names.size())).stream()
                .filter(name -> !required.contains(name)).toList();
            final List<Problem> problems = reader.apply(place.file(prefix,
                tried.stream().map(name -> " " + name + "=\"x\"").collect(Collectors.joining()), ""));
            tried.stream().filter(name -> problems.stream().noneMatch(problem ->
                UNKNOWN.contains(problem.code()) && problem.text().endsWith(" attribute=" + name)))
                .forEach(accepted::add);
        }
        accepted.addAll(required);
        return accepted;
    }

    private static List<Problem> application(final String text)
    {
        final Problems problems = new Problems();
        new ConfigurationReader(problems).read("x.xml",
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return problems(problems::throwIfAny);
    }

    private List<Problem> server(final String text)
    {
        return problems(() ->
        {
            final Path config = directory.resolve("config");
            Files.createDirectories(config);
            Files.writeString(config.resolve("config.xml"), text);
            ServerConfigurationReader.read(directory);
        });
    }

    /** Reads something. */
    private interface Reading
    {
        void read() throws DeploymentException, IOException;
    }

    private static List<Problem> problems(final Reading reading)
    {
        try
        {
            reading.read();
            return List.of();
        }
        catch (final DeploymentException e)
        {
            return e.problems();
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }

    private static Node root(final String schema, final String name) throws IOException
    {
        return SchemaModel.read(SCHEMAS.resolve(schema)).elements().stream()
            .filter(element -> element.name().equals(name)).findFirst().orElseThrow();
    }

    private static Path sources(final String path)
    {
        return Path.of("../..").resolve(path);
    }

    @Test
    void shouldDeclareWhatTheReaderOfConfigurationFilesAccepts() throws IOException
    {
        final List<String> names =
            names(sources("platform/assembly/src/main/java/dev/millrace/assembly/config"));
        final List<Place> places = places(List.of(), root("application-elements.xsd", "config"));
        assertThat(names).hasSizeGreaterThan(80);
        assertThat(places).hasSizeGreaterThan(30);
        for (final Place place : places)
        {
            final Function<String, List<Problem>> read = text -> application(text.replaceFirst("<a:config",
                "<a:config xmlns:a=\"" + ConfigurationReader.WLEVS + "\""));
            assertThat(accepted(place, names, read, "a:")).as(place.name()).isEqualTo(declared(place, false));
            assertThat(acceptedAttributes(place, names, read, "a:")).as("attributes of " + place.name())
                .isEqualTo(declared(place, true));
        }
    }

    @Test
    void shouldDeclareWhatTheReaderOfStatementContextsAccepts() throws IOException
    {
        final List<String> names =
            names(sources("platform/assembly/src/main/java/dev/millrace/assembly/config"));
        final Function<String, List<Problem>> read = text -> application("<a:config xmlns:a=\"" +
            ConfigurationReader.WLEVS + "\" xmlns:j=\"http://www.oracle.com/ns/ocep/config/jdbc\">" + text +
            "</a:config>");
        for (final Place place : places(List.of(), root("jdbc-context.xsd", "jdbc-ctx")))
        {
            assertThat(accepted(place, names, read, "j:")).as(place.name()).isEqualTo(declared(place, false));
            assertThat(acceptedAttributes(place, names, read, "j:")).as("attributes of " + place.name())
                .isEqualTo(declared(place, true));
        }
    }

    @Test
    void shouldDeclareWhatTheReaderOfServersAccepts() throws IOException
    {
        final List<String> names = names(sources("platform/server/src/main/java/dev/millrace/server/config"));
        final List<Place> places = places(List.of(), root("server-elements.xsd", "config"));
        assertThat(names).hasSizeGreaterThan(150);
        assertThat(places).hasSizeGreaterThan(30);
        for (final Place place : places)
        {
            if (place.path().stream().noneMatch(node -> UNCHECKED.contains(node.name())))
            {
                final Function<String, List<Problem>> read = text -> server(text.replaceFirst("<a:config",
                    "<a:config xmlns:a=\"http://www.bea.com/ns/wlevs/config/server\""));
                assertThat(accepted(place, names, read, "a:")).as(place.name())
                    .isEqualTo(declared(place, false));
            }
            // The reader has no attributes.
            assertThat(declared(place, true)).as(place.name()).isEmpty();
        }
    }
}
