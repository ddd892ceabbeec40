package dev.millrace.samples.signalgeneration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.samples.signalgeneration.feed.Market;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SymbolsCacheLoaderTest
{
    @TempDir
    private Path directory;

    private final SymbolsCacheLoader loader = new SymbolsCacheLoader();

    @Test
    void shouldLoadTheMonitoredSymbolsWhenNoPathIsSet() throws Exception
    {
        assertThat(loader.loadAll().keySet()).containsExactlyInAnyOrderElementsOf(Market.monitored()).hasSize(300);
        assertThat(loader.loadAll().get(Market.monitored().get(7)))
            .isInstanceOfSatisfying(
                MonitoredSymbol.class, value -> assertThat(value.getSymbol()).isEqualTo(Market.monitored().get(7)));
    }

    @Test
    void shouldLoadNothingMoreWhenAKeyIsMissing()
    {
        assertThat(loader.load("NONE")).isNull();
    }

    @Test
    void shouldSkipBlankLinesAndRemarksWhenTheFileHasThem() throws Exception
    {
        assertThat(load("# header\n\nABC\n  DEF \r\n").keySet()).containsExactlyInAnyOrder("ABC", "DEF");
    }

    @Test
    void shouldNameTheFileWhenItIsMissing()
    {
        loader.setPath(directory.resolve("absent.txt").toString());
        assertThatThrownBy(loader::loadAll).isInstanceOf(IOException.class)
            .hasMessageContaining("missing").hasMessageContaining("absent.txt").hasMessageContaining("create it");
    }

    @Test
    void shouldNameFileAndLineWhenALineIsMalformed()
    {
        assertThatThrownBy(() -> load("ABC\nDE F\n")).isInstanceOf(IOException.class)
            .hasMessageContaining("symbols.txt line=2").hasMessageContaining("position=3");
        assertThatThrownBy(() -> load("ABC\n\nABC,12.5\n")).hasMessageContaining("line=3");
        assertThatThrownBy(() -> load("ABC\nXYZ\nABC\n"))
            .hasMessageContaining("line=3").hasMessageContaining("twice").hasMessageContaining("ABC");
        assertThatThrownBy(() -> load("ABC\n" + "X".repeat(17))).hasMessageContaining("line=2 ".strip())
            .hasMessageContaining("too long");
        assertThatThrownBy(() -> load("# nothing\n")).hasMessageContaining("no symbol");
    }

    private java.util.Map<Object, Object> load(final String text) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("symbols.txt"), text);
        loader.setPath(file.toString());
        return loader.loadAll();
    }
}
