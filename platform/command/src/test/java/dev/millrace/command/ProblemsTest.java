package dev.millrace.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.millrace.command.management.ProblemPrinter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProblemsTest
{
    @Test
    void shouldPrintPlaceCodeTextExcerptAndHintWhenTheServerGivesThem()
    {
        assertThat(format("""
            {"code":"CQL-0201","position":{"file":"a.xml","line":3,"column":7},"text":"unknown column, name=prise",
             "hint":"did you mean price?","excerpt":"select prise\\n       ^"}"""))
            .isEqualTo("a.xml:3:7: CQL-0201: unknown column, name=prise\nselect prise\n       ^\n" +
                "    hint: did you mean price?");
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown()
    {
        assertThat(format("{\"code\":\"SRV-0301\",\"position\":\"-\",\"text\":\"not a bundle\",\"hint\":null}"))
            .isEqualTo("SRV-0301: not a bundle");
        assertThat(format("{\"code\":\"EPN-0101\",\"position\":\"b.xml:2:1\",\"text\":\"unknown element\"}"))
            .isEqualTo("b.xml:2:1: EPN-0101: unknown element");
    }

    private static String format(final String json)
    {
        return ProblemPrinter.format(JsonParser.parseString(json).getAsJsonObject());
    }
}
