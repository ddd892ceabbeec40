package dev.millrace.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages and files of the command line. */
@Timeout(60)
class ConnectionOptionTest
{
    @Test
    void shouldDetermineTheFormatByTheNameOfTheFile()
    {
        assertThat(ConnectionOption.inputs(List.of("a=x.CSV", "b=y=z.jsonl", "c=-", "d=pipe"), Format.JSON))
            .containsExactly(new Connection("a", "x.CSV", Format.CSV), new Connection("b", "y=z.jsonl", Format.JSON),
                new Connection("c", "-", Format.JSON), new Connection("d", "pipe", Format.JSON));
        assertThat(ConnectionOption.outputs(List.of("a", "b=b.json"), Format.CSV))
            .containsExactly(new Connection("a", "-", Format.CSV), new Connection("b", "b.json", Format.JSON));
    }

    @Test
    void shouldRefuseIncompleteAndRepeatedConnections()
    {
        assertThatThrownBy(() -> ConnectionOption.inputs(List.of("a"), Format.CSV)).hasMessageContaining("a=-");
        assertThatThrownBy(() -> ConnectionOption.inputs(List.of("=x"), Format.CSV)).hasMessageContaining("CMD-0272");
        assertThatThrownBy(() -> ConnectionOption.outputs(List.of("a="), Format.CSV)).hasMessageContaining("CMD-0272");
        assertThatThrownBy(() -> ConnectionOption.inputs(List.of("a=x", "a=y"), Format.CSV))
            .hasMessageContaining("named twice");
        assertThatThrownBy(() -> ConnectionOption.inputs(List.of("a=-", "b=-"), Format.CSV))
            .hasMessageContaining("standard input");
    }
}
