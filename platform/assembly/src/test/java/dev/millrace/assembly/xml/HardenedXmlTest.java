package dev.millrace.assembly.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Attacks by XML are refused quickly, with a position, and without opening anything. */
@Timeout(60)
class HardenedXmlTest
{
    private static final String SECRET = "the secret of the file";

    @TempDir
    private Path directory;

    private static Problem refused(final String text)
    {
        return refused(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Problem refused(final byte[] bytes)
    {
        final DeploymentException e =
            catchThrowableOfType(DeploymentException.class, () -> HardenedXml.parse("a.xml", bytes));
        assertThat(e).isNotNull();
        assertThat(e.problems()).hasSize(1);
        return e.problems().get(0);
    }

    private String external(final String systemId)
    {
        return "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + systemId + "\">]>\n<a>&x;</a>";
    }

    private String secretFile() throws IOException
    {
        return external(Files.writeString(directory.resolve("secret.txt"), SECRET).toUri().toString());
    }

    @Test
    void shouldRefuseWithCodeAndPlaceWhenDocumentHasDoctype() throws IOException
    {
        final Problem problem = refused("<?xml version=\"1.0\"?>\n  " + secretFile());

        assertThat(problem.code()).isEqualTo("EPN-1102");
        assertThat(problem.position()).isEqualTo(new SourcePosition("a.xml", 2, 3));
        assertThat(problem.text()).isEqualTo("DOCTYPE is not allowed");
        assertThat(problem.hint()).contains("remove");
        assertThat(problem.excerpt()).startsWith("      <!DOCTYPE a [").endsWith("\n      ^");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/x.dtd\"><a/>", "<!DOCTYPE a><a/>",
        "<!-- <a> --><!DOCTYPE a><a/>", "<!ENTITY x \"y\"><a/>"})
    void shouldRefuseWhenAnyDeclarationIsThere(final String text)
    {
        assertThat(refused(text).code()).isEqualTo("EPN-1102");
    }

    @Test
    void shouldRefuseQuicklyWhenDocumentIsEntityBomb()
    {
        final String bomb = "<!DOCTYPE a [<!ENTITY e0 \"x\">" + IntStream.range(1, 10).mapToObj(
            i -> "<!ENTITY e" + i + " \"" + ("&e" + (i - 1) + ";").repeat(10) + "\">").collect(Collectors.joining()) +
            "]><a>&e9;</a>";
        refused(bomb);
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++)
        {
            final long startNs = System.nanoTime();
            assertThat(refused(bomb).code()).isEqualTo("EPN-1102");
            best = Math.min(best, System.nanoTime() - startNs);
        }
        assertThat(best).isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
    }

    @Test
    void shouldOpenNoConnectionWhenEntityPointsToNetwork() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))
        {
            server.setSoTimeout(1);
            final String text = external("http://127.0.0.1:" + server.getLocalPort() + "/x");
            refused(text);
            refusedByFactory(text);
            assertThatThrownBy(server::accept).isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void shouldRefuseExternalEntitiesInFactoryForOtherParsers() throws Exception
    {
        refusedByFactory(secretFile());
    }

    private static void refusedByFactory(final String text)
    {
        assertThatThrownBy(() -> HardenedXml.documentBuilderFactory().newDocumentBuilder()
            .parse(new InputSource(new StringReader(text)))).hasMessageContaining("DOCTYPE");
    }

    @Test
    void shouldRefuseWhenElementsAreNestedTooDeep() throws DeploymentException
    {
        assertThat(HardenedXml.parse("a.xml", nested(64).getBytes(StandardCharsets.UTF_8))).isNotNull();

        final Problem problem = refused(nested(65));

        assertThat(problem.code()).isEqualTo("EPN-1103");
        assertThat(problem.position()).isEqualTo(new SourcePosition("a.xml", 65, 1));
        assertThat(problem.text()).contains("limit=64");
    }

    private static String nested(final int depth)
    {
        return "<a>\n".repeat(depth) + "</a>".repeat(depth);
    }

    @Test
    void shouldRefuseWhenAttributeIsHuge()
    {
        final Problem problem = refused("<a>\n  <b c=\"" + "x".repeat(32_769) + "\"/></a>");

        assertThat(problem.code()).isEqualTo("EPN-1103");
        assertThat(problem.position()).isEqualTo(new SourcePosition("a.xml", 2, 9));
        assertThat(problem.excerpt().length()).isLessThan(300);
    }

    @Test
    void shouldRefuseWhenAttributeHasNoEnd()
    {
        assertThat(refused("<a b=\"" + "x".repeat(40_000)).code()).isEqualTo("EPN-1103");
    }

    @Test
    void shouldRefuseWhenThereAreTooManyAttributes()
    {
        final String attributes =
            IntStream.range(0, 65).mapToObj(i -> " a" + i + "='1'").collect(Collectors.joining());

        assertThat(refused("<a" + attributes + "/>").text()).isEqualTo("too many attributes, limit=64");
    }

    @Test
    void shouldRefuseWhenThereAreTooManyElements()
    {
        assertThat(refused("<a>" + "<b/>".repeat(10_000) + "</a>").text())
            .isEqualTo("too many elements, limit=10000");
    }

    @Test
    void shouldRefuseWhenDocumentIsTooBig()
    {
        final Problem problem = refused(("<a>" + " ".repeat(1 << 20) + "</a>").getBytes(StandardCharsets.UTF_8));

        assertThat(problem.code()).isEqualTo("EPN-1103");
        assertThat(problem.text()).contains("limitBytes=1048576");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "<a>", "<a></b>", "<a b=c/>", "<a b='1' b='2'/>", "<a>&nbsp;</a>", "<a/><b/>",
        "<p:a/>", "<a", "<a><![CDATA[", "<!--", "<a><?x", "<a b='", "<a/>x", "\u0001", "<a>\u0001</a>", "<"})
    void shouldRefuseWithPlaceWhenTextIsNotWellFormed(final String text)
    {
        final Problem problem = refused(text);

        assertThat(problem.code()).isEqualTo("EPN-1101");
        assertThat(problem.position().file()).isEqualTo("a.xml");
        assertThat(problem.text()).startsWith("not well-formed XML: ");
    }

    @Test
    void shouldTellPlaceWhenEndTagIsWrong()
    {
        assertThat(refused("<a>\n  <b>\n  </a>\n").position()).isEqualTo(new SourcePosition("a.xml", 3, 5));
    }

    @Test
    void shouldReadAllUsualEncodings() throws DeploymentException
    {
        final String text = "<a>Zürich</a>";
        final List<byte[]> documents = List.of(
            text.getBytes(StandardCharsets.UTF_8),
            ("\ufeff" + text).getBytes(StandardCharsets.UTF_8),
            ("\ufeff" + text).getBytes(StandardCharsets.UTF_16BE),
            ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE),
            ("<?xml version='1.0' encoding='ISO-8859-1'?>" + text).getBytes(StandardCharsets.ISO_8859_1),
            ("<?xml version=\"1.0\" encoding=\"windows-1252\"?>" + text).getBytes(Charset.forName("windows-1252")));
        for (final byte[] document : documents)
        {
            assertThat(HardenedXml.parse("a.xml", document).getDocumentElement().getTextContent())
                .isEqualTo("Zürich");
        }
    }

    @Test
    void shouldRefuseWhenBytesDoNotFitTheEncoding()
    {
        assertThat(refused("<a>Zürich</a>".getBytes(StandardCharsets.ISO_8859_1)).text()).contains("UTF-8");
        assertThat(refused("<?xml version='1.0' encoding='nonsense-9'?><a/>").text()).contains("nonsense-9");
    }

    @Test
    void shouldKnowPlacesOfElementsAttributesAndTextWhenLineEndsDiffer() throws DeploymentException
    {
        final String text = "<?xml version='1.0'?>\r\n<!-- <x> -->\r<a\n  b = '>' c=\"2\">\n" +
            "  <d e='1'/><d> text </d>\n<f> <!-- c --> <![CDATA[\nq]]> </f></a>";
        final Document document = HardenedXml.parse("a.xml", text.getBytes(StandardCharsets.UTF_8));
        final Element a = document.getDocumentElement();
        final List<Element> children = Elements.children(a);

        assertThat(XmlPositions.of(a)).hasToString("a.xml:3:1");
        assertThat(XmlPositions.of(document)).hasToString("a.xml:3:1");
        assertThat(XmlPositions.ofAttribute(a, "b")).hasToString("a.xml:4:3");
        assertThat(XmlPositions.ofValue(a, "b")).hasToString("a.xml:4:8");
        assertThat(XmlPositions.of(a.getAttributeNode("c"))).hasToString("a.xml:4:11");
        assertThat(XmlPositions.of(children.get(0))).hasToString("a.xml:5:3");
        assertThat(XmlPositions.of(children.get(1))).hasToString("a.xml:5:13");
        assertThat(XmlPositions.text(children.get(1)))
            .isEqualTo(new Located("text", new SourcePosition("a.xml", 5, 17)));
        assertThat(XmlPositions.text(children.get(2)))
            .isEqualTo(new Located("\nq", new SourcePosition("a.xml", 6, 25)));
        assertThat(Elements.text(children.get(2)))
            .isEqualTo(new Located("q", new SourcePosition("a.xml", 7, 1)));
    }

    @Test
    void shouldGiveNamesWithPlacesWhenListIsSeparatedByCommasOrBlanks() throws DeploymentException
    {
        final Document document =
            HardenedXml.parse("a.xml", "<a>one, two\n  three</a>".getBytes(StandardCharsets.UTF_8));

        assertThat(Elements.names(Elements.text(document.getDocumentElement())))
            .extracting(name -> name.value() + " " + name.position())
            .containsExactly("one a.xml:1:4", "two a.xml:1:9", "three a.xml:2:3");
    }
}
