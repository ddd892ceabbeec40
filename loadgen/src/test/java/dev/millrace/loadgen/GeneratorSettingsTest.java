package dev.millrace.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.loadgen.WireType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GeneratorSettingsTest
{
    @TempDir
    private Path folder;

    private static GeneratorSettings of(final String... pairs) throws GeneratorException
    {
        final Map<String, String> values = new TreeMap<>(Map.of("test.packetType", "CSV"));
        for (int i = 0; i < pairs.length; i += 2)
        {
            values.put(pairs[i], pairs[i + 1]);
        }
        return GeneratorSettings.of("x.prop", Path.of("/data"), values);
    }

    @Test
    void shouldHaveDefaultsWhenOnlyPacketTypeIsGiven() throws GeneratorException
    {
        final GeneratorSettings settings = of();
        assertThat(settings.dataFile()).isEqualTo(Path.of("/data/data.csv"));
        assertThat(settings.port()).isEqualTo(9001);
        assertThat(settings.senders()).isEqualTo(1);
        assertThat(settings.statIntervalMs()).isEqualTo(2000);
        assertThat(settings.secs()).isEqualTo(30);
        assertThat(settings.ticksPerPacket()).isEqualTo(1);
        assertThat(settings.split()).isEqualTo(GeneratorSettings.Split.SYMBOL);
        assertThat(settings.maxEventsOf(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldSuggestNearestKeyWhenKeyIsUnknown()
    {
        assertThatThrownBy(() -> of("test.tickPerPacket", "1")).hasMessageStartingWith("GEN-0102")
            .hasMessageContaining("file=x.prop").hasMessageContaining("did you mean test.ticksPerPacket?");
        assertThatThrownBy(() -> of("colour", "red")).hasMessageContaining("--help");
    }

    @Test
    void shouldNameFileAndKeyWhenValueIsBad()
    {
        final String[][] bad = {{"test.port", "70000"}, {"test.port", "x"}, {"test.rate", "0"}, {"test.rate", "fast"},
            {"test.senders", "0"}, {"test.latencyStats", "yes"}, {"test.split", "row"}, {"test.packetType", "XML"},
            {"test.mode", "server"}, {"test.columnTypes", "char,money"}, {"test.ticksPerPacket", "70000"},
            {"test.maxEvents", "-1"}, {"test.statInterval", "1"}};
        for (final String[] pair : bad)
        {
            assertThatThrownBy(() -> of(pair)).as(pair[0]).isInstanceOf(GeneratorException.class)
                .hasMessageStartingWith("GEN-0103").hasMessageContaining("file=x.prop key=" + pair[0] + " value=" +
                pair[1]).hasMessageContaining("; ");
        }
        assertThatThrownBy(() -> of("test.rate", "max", "test.rampUpSecs", "5")).hasMessageContaining("rampUpSecs");
        assertThatThrownBy(() -> of("test.rateIncrement", "5", "test.rampUpSecs", "5"))
            .hasMessageContaining("cannot be combined with");
    }

    @Test
    void shouldShareMaxEventsWhenThereAreSeveralSenders() throws GeneratorException
    {
        final GeneratorSettings settings = of("test.maxEvents", "10", "test.senders", "3");
        assertThat(settings.maxEventsOf(0)).isEqualTo(4);
        assertThat(settings.maxEventsOf(1)).isEqualTo(3);
        assertThat(settings.maxEventsOf(2)).isEqualTo(3);
    }

    @Test
    void shouldReadFileAndOverrides() throws Exception
    {
        final Path file = Files.write(folder.resolve("a.prop"), List.of("test.packetType=CSV", "test.rate=5"));
        final GeneratorSettings settings = GeneratorSettings.read(file, Map.of("test.rate", "7"));
        assertThat(settings.schedule().dueNs(7)).isEqualTo(1_000_000_000L);
        assertThat(settings.dataFile()).isEqualTo(folder.resolve("data.csv"));
        assertThatThrownBy(() -> GeneratorSettings.read(folder.resolve("none"), Map.of()))
            .hasMessageStartingWith("GEN-0101");
    }

    /** The keys of the files that Oracle's releases and public applications contain. */
    @Test
    void shouldAcceptFileOfOepAndNameKeysWithoutEffectInOneWarning() throws Exception
    {
        final Path file = Files.write(folder.resolve("oep.prop"), List.of("# load generator",
            "test.csvDataFile=vehicles.csv", "test.port=9090", "test.packetType=CSV", "test.mode=client",
            "test.senders=1", "test.latencyStats=false", "test.statInterval=2000", "test.loopBack=false",
            "test.secs=30", "test.startRate=1", "test.rampUpSecs=1", "test.rate=2", "test.histogramCells=100"));
        final GeneratorSettings settings = GeneratorSettings.read(file, Map.of());
        assertThat(settings.port()).isEqualTo(9090);
        assertThat(settings.schedule().isPaced()).isTrue();
        assertThat(settings.ignoredKeys()).containsExactly("test.histogramCells", "test.loopBack");
        assertThat(settings.warning()).startsWith("GEN-0108 ").doesNotContain("\n")
            .contains("file=" + file + " keys=test.histogramCells,test.loopBack; ");
    }

    @Test
    void shouldRefuseMistypedKeyOfFileAndForeignKeyOfCommandLine() throws Exception
    {
        final Path mistyped = Files.write(folder.resolve("typo.prop"), List.of("test.packetType=CSV", "test.rat=5"));
        assertThatThrownBy(() -> GeneratorSettings.read(mistyped, Map.of())).hasMessageStartingWith("GEN-0102")
            .hasMessageContaining("did you mean test.rate?");
        final Path plain = Files.write(folder.resolve("plain.prop"), List.of("test.packetType=CSV"));
        assertThat(GeneratorSettings.read(plain, Map.of()).warning()).isNull();
        assertThatThrownBy(() -> GeneratorSettings.read(plain, Map.of("test.loopBack", "true")))
            .hasMessageStartingWith("GEN-0102").hasMessageContaining("key=test.loopBack");
    }

    @Test
    void shouldFollowRampAndSteps()
    {
        final RateSchedule constant = RateSchedule.ramp(100, 100, 10);
        assertThat(constant.dueNs(0)).isZero();
        assertThat(constant.dueNs(50)).isEqualTo(500_000_000L);
        // From nearly 0 to 100/s in 10 s: half of 1000 events in the ramp, then 100 per second.
        final RateSchedule ramp = RateSchedule.ramp(1e-9, 100, 10);
        assertThat(ramp.dueNs(500)).isBetween(9_999_000_000L, 10_001_000_000L);
        assertThat(ramp.dueNs(125)).isBetween(4_999_000_000L, 5_001_000_000L);
        assertThat(ramp.dueNs(600)).isBetween(10_999_000_000L, 11_001_000_000L);
        final RateSchedule falling = RateSchedule.ramp(100, 50, 10);
        assertThat(falling.dueNs(750)).isBetween(9_999_000_000L, 10_001_000_000L);
        // 10, 20, 30 and then 35 events per second.
        final RateSchedule steps = RateSchedule.steps(10, 10, 35);
        assertThat(steps.dueNs(10)).isEqualTo(1_000_000_000L);
        assertThat(steps.dueNs(30)).isEqualTo(2_000_000_000L);
        assertThat(steps.dueNs(60)).isEqualTo(3_000_000_000L);
        assertThat(steps.dueNs(95)).isEqualTo(4_000_000_000L);
    }

    @Test
    void shouldCountPacketsExactlyAsTheyAreDue()
    {
        for (final RateSchedule schedule : List.of(RateSchedule.ramp(3, 997, 7), RateSchedule.steps(13, 29, 700),
            RateSchedule.ramp(333, 333, 0)))
        {
            for (final int ticks : new int[] {1, 3, 10})
            {
                for (long elapsedMs = 0; elapsedMs < 9000; elapsedMs += 111)
                {
                    long counted = 0;
                    while (schedule.dueNs(counted * ticks) < elapsedMs * 1_000_000)
                    {
                        counted++;
                    }
                    assertThat(schedule.packetsDueBefore(elapsedMs * 1_000_000, ticks)).isEqualTo(counted);
                }
            }
        }
    }

    @Test
    void shouldInferTypesFromAllRows() throws Exception
    {
        assertThat(types("A,1,1.5,7", "B,2,3,8")).containsExactly(
            WireType.CHAR8, WireType.INT, WireType.DOUBLE, WireType.INT);
        assertThat(types("1,3000000000,,x", "2,4,,1")).containsExactly(
            WireType.INT, WireType.BIGINT, WireType.CHAR8, WireType.CHAR8);
        assertThat(types("y".repeat(300))).containsExactly(WireType.CHAR16);
        assertThat(types("12345678901234567890", "1")).containsExactly(WireType.DOUBLE);
    }

    private List<WireType> types(final String... lines) throws IOException, GeneratorException
    {
        final Path file = Files.write(folder.resolve("data.csv"), List.of(lines));
        return RowEncoder.of(DataFile.read(file), List.of()).types();
    }

    @Test
    void shouldNameFileAndLineWhenDataIsBad() throws Exception
    {
        final Path file = Files.write(folder.resolve("bad.csv"), List.of("A,1", "", "B"));
        assertThatThrownBy(() -> DataFile.read(file)).hasMessageStartingWith("GEN-0112")
            .hasMessageContaining("line=3 expected=2 actual=1");
        final Path empty = Files.write(folder.resolve("empty.csv"), List.of(""));
        assertThatThrownBy(() -> DataFile.read(empty)).hasMessageStartingWith("GEN-0113");
        assertThatThrownBy(() -> DataFile.read(folder.resolve("none.csv"))).hasMessageStartingWith("GEN-0111");
        final DataFile data = DataFile.read(Files.write(folder.resolve("ok.csv"), List.of("A,1", "B,x")));
        assertThatThrownBy(() -> RowEncoder.of(data, List.of(WireType.CHAR8))).hasMessageStartingWith("GEN-0114");
        final RowEncoder encoder = RowEncoder.of(data, List.of(WireType.CHAR8, WireType.INT));
        assertThatThrownBy(() -> encoder.encode(1)).hasMessageStartingWith("GEN-0116")
            .hasMessageContaining("row=2 column=2");
    }

    @Test
    void shouldRefuseMoreConnectionsThanSymbols() throws Exception
    {
        final DataFile data = DataFile.read(Files.write(folder.resolve("d.csv"), List.of("A,1", "B,2", "A,3")));
        assertThatThrownBy(() -> RowAssignment.of(data, of("test.senders", "3"))).hasMessageStartingWith("GEN-0105")
            .hasMessageContaining("values=2");
        assertThatThrownBy(() ->
            RowAssignment.of(data, of("test.splitColumn", "3"))).hasMessageStartingWith("GEN-0104");
        final RowAssignment plan = RowAssignment.of(data, of("test.senders", "2"));
        assertThat(List.of(plan.row(0, 0), plan.row(0, 1), plan.row(0, 2), plan.row(1, 5))).containsExactly(0, 2, 0, 1);
    }
}
