package dev.millrace.command.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of names. The counterparts in other bundles are covered by the integration test of the home. */
@Timeout(60)
class OldNamesTest
{
    private final OldNames names = new OldNames();

    @Test
    void shouldNameClassesOfTheApiWithTheSameSimpleNameAndNoTypeParameters() throws ClassNotFoundException
    {
        assertThat(names.classes()).hasSizeGreaterThan(30);
        for (final Map.Entry<String, String> each : names.classes().entrySet())
        {
            // The factory of mappers is used in assembly files only.
            assertThat(each.getValue().replaceAll(".*\\.", "")).isEqualTo(
                each.getKey().replaceAll(".*\\.", "").replace("JAXBMapperFactory", "EventMapper"));
            if (each.getValue().startsWith("dev.millrace.api."))
            {
                assertThat(Class.forName(each.getValue()).getTypeParameters()).isEmpty();
            }
        }
    }

    @Test
    void shouldFindTheLongestHint()
    {
        assertThat(names.hint("com.bea.wlevs.ede.api.StreamSink")).isNull();
        assertThat(names.hint("com.bea.wlevs.ede.api.EventBuilder")).contains("constructor");
        assertThat(names.hint("com.bea.wlevs.configuration.Prepare")).contains("instance properties");
        assertThat(names.hint("com.bea.wlevs.ede.impl.Other")).contains("internal class");
        assertThat(names.hint("com.oracle.cep.cartridge.spatial.Geometry")).contains("spatial cartridge");
        assertThat(names.hint("com.example.Other")).isNull();
        assertThat(names.counterpart("javax.jms.Message")).isEqualTo("jakarta.jms.Message");
        assertThat(names.counterpart("javax.jms.other.Message")).isNull();
        assertThat(names.isOldPackage("com.bea.wlevs.ede.api")).isTrue();
        assertThat(names.isOldPackage("com.beads")).isFalse();
    }
}
