package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of a home, and the progress of one. */
@Timeout(60)
class SampleTest
{
    @TempDir
    private Path directory;

    private Path sample(final String name, final String properties) throws IOException
    {
        final Path sample = Files.createDirectories(directory.resolve("apps").resolve(name));
        Files.writeString(sample.resolve(Sample.FILE), properties);
        return sample;
    }

    @Test
    void shouldFindTheProjectsThatDescribeASample() throws IOException
    {
        final Path second = sample("second", "summary=Shows something.\nbroker=kafka\n");
        Files.createDirectories(second.resolve("feed"));
        final Path first = sample("first", "summary=Shows nothing.\n");
        Files.writeString(first.resolve("b.prop"), "");
        Files.writeString(first.resolve("a.prop"), "");
        Files.createDirectories(directory.resolve("apps/other"));
        final Home home = new Home(directory);
        assertThat(Sample.all(home)).containsExactly(new Sample(first, "Shows nothing.", SampleBroker.NONE),
            new Sample(second, "Shows something.", SampleBroker.KAFKA));
        assertThat(Sample.find(home, "second").hasFeed()).isTrue();
        assertThat(Sample.find(home, "first").hasFeed()).isFalse();
        assertThat(Sample.find(home, "first").playedFiles()).map(Path::getFileName).map(Path::toString)
            .containsExactly("a.prop", "b.prop");
        assertThatThrownBy(() -> Sample.find(home, "third")).isInstanceOf(CommandException.class)
            .hasMessageContaining("no such sample, name=third");
    }

    @Test
    void shouldCountTheRowsOfSourcesAndRejections()
    {
        assertThat(SampleProgress.of(JsonParser.parseString("""
            {"stages":[
              {"id":"in","rowsIn":0,"rowsOut":5,"rowsRejected":1,"own":{"connected":false}},
              {"id":"channel","rowsIn":5,"rowsOut":5,"rowsRejected":0},
              {"id":"out","rowsIn":5,"rowsOut":0,"rowsRejected":2,"own":{"connected":true}}]}""").getAsJsonObject()))
            .isEqualTo(new SampleProgress(5, 3, 20, false));
    }
}
