package dev.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schema.SchemaModel.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The reference pages match the schemas, which document each element and attribute. With
 * {@code -Dmillrace.pages=write} the pages are written again.
 */
@Timeout(60)
class SchemaPagesTest
{
    private static final Path DOCS = Path.of("../../docs");
    private static final Path HOME = Path.of("src/main/home/xsd");
    private static final Path ASSEMBLY =
        Path.of("../assembly/src/main/resources/dev/millrace/assembly/epn/epn-elements.xsd");
    private static final Path SERVICES =
        Path.of("../server/src/main/resources/dev/millrace/server/extender/spring-osgi.xsd");
    private static final String GENERATED = " This page is generated from the [schemas for editors](editors.md).";

    private static void check(final String name, final SchemaPages pages) throws IOException
    {
        final Path page = DOCS.resolve(name);
        if ("write".equals(System.getProperty("millrace.pages")))
        {
            Files.writeString(page, pages.markdown());
        }
        assertThat(Files.readString(page)).as("run the command of CONTRIBUTING.md that writes the pages again")
            .isEqualTo(pages.markdown());
    }

    @Test
    void shouldShowTheElementsOfAssemblyFiles() throws IOException
    {
        final SchemaModel schema = SchemaModel.read(ASSEMBLY);
        final SchemaPages pages = new SchemaPages("Elements of assembly files", """
            Assembly files are files in `META-INF/spring`. The prefix `wlevs` of their elements means the namespace
            `http://www.bea.com/ns/wlevs/spring` or `https://millrace.dev/ns/epn`. [Writing
            applications](writing-applications.md) describes how to use them.""" + GENERATED).all(schema)
            .all("spatial", SchemaModel.read(HOME.resolve("spatial-context.xsd")))
            .all("jdbc", SchemaModel.read(HOME.resolve("jdbc-link.xsd")))
            .all("cartridge", SchemaModel.read(HOME.resolve("cartridge-context.xsd")));
        assertThat(pages.markdown()).contains("\n## channel\n", "| `application-timestamped/@is-total-order` | text,");
        check("xml-assembly.md", pages);
    }

    @Test
    void shouldShowTheElementsOfConfigurationFiles() throws IOException
    {
        final SchemaModel schema = SchemaModel.read(HOME.resolve("application-elements.xsd"));
        final SchemaPages pages = new SchemaPages("Elements of configuration files", """
            Configuration files of applications are files in `META-INF/wlevs`. The root element `config` has the
            namespace `http://www.bea.com/ns/wlevs/config/application` or
            `https://millrace.dev/ns/config/application`, the elements in it have none. The order of elements does not
            matter.""" + GENERATED).root(schema, schema.elements().get(0))
            .all(SchemaModel.read(HOME.resolve("jdbc-context.xsd")));
        assertThat(pages.markdown()).contains("\n## processor\n", "\n## jdbc-ctx\n",
            "| `rules/query/@ordering-constraint` | `ORDERED`, `UNORDERED`, `PARTITION_ORDERED` |");
        check("xml-configuration.md", pages);
    }

    @Test
    void shouldShowTheElementsOfServers() throws IOException
    {
        final SchemaModel schema = SchemaModel.read(HOME.resolve("server-elements.xsd"));
        final SchemaPages pages = new SchemaPages("Elements of config.xml", """
            `config/config.xml` configures the instance of a domain. The root element `config` has the namespace
            `http://www.bea.com/ns/wlevs/config/server` or `https://millrace.dev/ns/config/server`, the elements in it
            have none. The order of elements does not matter. [Domains](../domains/README.md) describes how to use
            them.""" + GENERATED).root(schema, schema.elements().get(0));
        assertThat(pages.markdown()).contains("\n## netio\n", "| `server-config/max-clients` | number |".replace(
            "server-config", "pub-sub-bean/server-config"));
        check("xml-server.md", pages);
    }

    private static List<String> undocumented(final String path, final Node node)
    {
        final List<String> found = new ArrayList<>();
        if (node.documentation().isEmpty())
        {
            found.add(path + node.name());
        }
        if (!node.isReference())
        {
            node.children().forEach(child -> found.addAll(undocumented(path + node.name() + "/", child)));
        }
        return found;
    }

    @Test
    void shouldDocumentEachElementAndAttribute() throws IOException
    {
        for (final Path file : List.of(ASSEMBLY, SERVICES, HOME.resolve("application-elements.xsd"),
            HOME.resolve("jdbc-context.xsd"), HOME.resolve("server-elements.xsd"), HOME.resolve("jdbc-link.xsd"),
            HOME.resolve("spatial-context.xsd"), HOME.resolve("cartridge-context.xsd")))
        {
            final List<Node> elements = SchemaModel.read(file).elements();
            assertThat(elements).as(file.toString()).isNotEmpty();
            assertThat(elements.stream().flatMap(element -> undocumented("", element).stream())).as(file.toString())
                .isEmpty();
        }
    }

    @Test
    void shouldHaveNoOtherSchema() throws IOException
    {
        try (Stream<Path> files = Files.list(HOME))
        {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("catalog.xml",
                "application-elements.xsd", "application.xsd", "wlevs-application.xsd", "jdbc-context.xsd",
                "jdbc-link.xsd", "spatial-context.xsd", "cartridge-context.xsd",
                "server-elements.xsd", "server.xsd", "wlevs-server.xsd");
        }
    }
}
