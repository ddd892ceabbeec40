package dev.millrace.assembly.xml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.RulePositions;
import dev.millrace.network.definition.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Element;

/** Each character of a text is found in the file, whatever is between the parts of the text. */
@Timeout(60)
class TextPositionMapTest
{
    private static final char MARK = '@';

    /** Every mark of the text must have its position in the file. */
    private static void assertMarksAreFound(final String xml, final int expected) throws Exception
    {
        final Element root = HardenedXml.parse("f.xml", xml.getBytes(StandardCharsets.UTF_8)).getDocumentElement();
        final String text = XmlPositions.text(root).value();
        final RulePositions places = new RulePositions(XmlPositions.runs(root), Map.of());
        final SourceText source = new SourceText("f.xml", xml);
        int inFile = xml.indexOf('>');
        int found = 0;
        for (int at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1))
        {
            inFile = xml.indexOf(MARK, inFile + 1);
            assertThat(places.of(text, at)).as("mark %d", found++).isEqualTo(source.position(inFile));
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldFindPlainText() throws Exception
    {
        assertMarksAreFound("<q>\n  @ a @ b\n@ c\n  d @\n</q>", 4);
    }

    @Test
    void shouldFindTextBehindEntities() throws Exception
    {
        assertMarksAreFound("<q a='x'> &lt; @ &amp;&gt;@ and &quot;&apos; \n @ &lt;@ </q>", 4);
    }

    @Test
    void shouldFindTextBehindCharacterReferences() throws Exception
    {
        assertMarksAreFound("<q>a&#x41;@&#66;@&#x1F600;@\n&#10;x@</q>", 4);
    }

    @Test
    void shouldFindTextBehindComments() throws Exception
    {
        assertMarksAreFound("<q><!-- one -->a @ <!-- two\nlines --> @ b <?pi x?> @ </q>", 3);
    }

    @Test
    void shouldFindTextInSections() throws Exception
    {
        assertMarksAreFound("<q>\n  <![CDATA[\n  @ a\n @ ]]>\n</q>", 2);
        assertMarksAreFound("<q>x @ <![CDATA[ < @ ]]> @ <![CDATA[@]]>@</q>", 5);
    }

    @Test
    void shouldFindTextOfFilesWithLineEndsOfTwoCharacters() throws Exception
    {
        assertMarksAreFound("<q>\r\n\r\n  @ a\r\n &lt; @ b\r\n @</q>", 3);
        assertMarksAreFound("<q>\r\n<![CDATA[\r\n  @ a\r\n @ b]]>\r\n</q>", 2);
    }

    @Test
    void shouldGiveTheEndOfTheTextAPlaceToo() throws Exception
    {
        final String xml = "<q>a &lt; b</q>";
        final Element root = HardenedXml.parse("f.xml", xml.getBytes(StandardCharsets.UTF_8)).getDocumentElement();
        assertThat(new RulePositions(XmlPositions.runs(root), Map.of()).of("a < b", 5))
            .isEqualTo(new SourcePosition("f.xml", 1, 12));
        assertThat(XmlPositions.runs(root)).isEqualTo(List.of(
            new RulePositions.Run(0, new SourcePosition("f.xml", 1, 4)),
            new RulePositions.Run(3, new SourcePosition("f.xml", 1, 10))));
    }
}
