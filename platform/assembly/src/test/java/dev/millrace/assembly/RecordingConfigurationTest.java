package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.TimeRange;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads record-parameters and playback-parameters of all kinds of stages, and refuses wrong ones with positions. */
@Timeout(60)
class RecordingConfigurationTest
{
    private static final String FILE = Application.CONFIG_FILE;
    private static final String NAME = "<dataset-name>d</dataset-name>";

    private final Application application = new Application().assembly("""
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/></wlevs:properties></wlevs:event-type>
        </wlevs:event-type-repository>
        <wlevs:adapter id="feed" provider="loadgen"/>
        <wlevs:channel id="in" event-type="Tick" source="feed" listeners="rules"/>
        <wlevs:processor id="rules" listeners="out"/>
        <wlevs:channel id="out" event-type="Tick" listeners="bean"/>
        <wlevs:event-bean id="bean" provider="collect"/>
        """);

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private Application configured(final String body, final String ofProcessor)
    {
        return application.configuration(body + "<processor><name>rules</name><rules><query id=\"q\">select * from in" +
            "</query></rules>" + ofProcessor + "</processor>\n");
    }

    private static long ns(final String time)
    {
        return TimeUnit.SECONDS.toNanos(Instant.parse(time).getEpochSecond());
    }

    @Test
    void shouldReadTheSettingsOfAllKindsOfStages() throws Exception
    {
        final NetworkDefinition network = configured("""
            <adapter><name>feed</name><record-parameters>
              <dataset-name>recplay_sample</dataset-name>
              <event-type-list><event-type>Tick</event-type></event-type-list>
              <provider-name>events</provider-name>
              <time-range><start>2026-11-29T10:00:00</start><end>2026-11-29T12:00:00+01:00</end></time-range>
              <batch-size>1</batch-size><batch-time-out>10</batch-time-out>
              <max-size>1000</max-size><max-threads>4</max-threads>
            </record-parameters></adapter>
            <channel><name>out</name><playback-parameters>
              <dataset-name>recplay_sample</dataset-name>
              <time-range-offset><start>2026-11-29T10:00:00Z</start><duration>01:30:01</duration></time-range-offset>
              <schedule-time-range><start>2026-11-30T00:00:00</start><end>2026-12-01T00:00:00</end>
              </schedule-time-range>
              <playback-speed>2.5</playback-speed><repeat>true</repeat><max-threads>1</max-threads>
            </playback-parameters></channel>
            <event-bean><name>bean</name><record-parameters><dataset-name>b</dataset-name></record-parameters>
            </event-bean>
            """, "<record-parameters><dataset-name>c</dataset-name>" +
            "</record-parameters><playback-parameters><dataset-name>c</dataset-name></playback-parameters>").define();
        assertThat(network.recordings()).extracting(RecordingSettings::stage)
            .containsExactly("feed", "bean", "rules");
        final RecordingSettings feed = network.recordings().get(0);
        assertThat(feed).extracting(RecordingSettings::dataset, RecordingSettings::eventTypes,
            RecordingSettings::provider).containsExactly("recplay_sample", List.of("Tick"), "events");
        assertThat(feed.range()).isEqualTo(new TimeRange(ns("2026-11-29T10:00:00Z"), ns("2026-11-29T11:00:00Z")));
        assertThat(feed.position()).asString().isEqualTo(FILE + ":2:27");
        assertThat(network.recordings().get(1).range()).isNull();
        assertThat(network.playbacks()).extracting(PlaybackSettings::stage).containsExactly("out", "rules");
        final PlaybackSettings out = network.playbacks().get(0);
        assertThat(out.range()).isEqualTo(new TimeRange(ns("2026-11-29T10:00:00Z"), ns("2026-11-29T11:30:01Z")));
        assertThat(out.schedule()).isEqualTo(new TimeRange(ns("2026-11-30T00:00:00Z"), ns("2026-12-01T00:00:00Z")));
        assertThat(out).extracting(PlaybackSettings::speed, PlaybackSettings::repeat, PlaybackSettings::automatic)
            .containsExactly(2.5, true, true);
        assertThat(network.playbacks().get(1)).extracting(PlaybackSettings::speed, PlaybackSettings::repeat,
            PlaybackSettings::automatic).containsExactly(1.0, false, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<dataset-name>../d</dataset-name>|EPN-1204|15|value=../d|letters, digits",
        "<event-type-list/>|EPN-1203|1|element=event-type-list|for all types",
        "<event-type-list><type>a</type></event-type-list>|EPN-1201|18|element=type|event-type",
        "<store-policy-parameters/>|EPN-1210|1|policies of stores|config.xml",
        "<time-range><start>2026-11-29T10:00:00</start></time-range>|EPN-1203|1|has no end|<end>",
        "<time-range><start>today</start><end>2026-11-29T10:00:00</end></time-range>|EPN-1204|20|value=today|UTC",
        "<time-range><start>2026-11-29T10:00:00</start><end>2026-11-29T10:00:00Z</end></time-range>" +
            "|EPN-1204|52|not later|later",
        "<time-range-offset><start>2026-11-29T10:00:00</start></time-range-offset>|EPN-1203|1|no duration|duration",
        "<time-range-offset><start>2026-11-29T10:00:00</start><duration>90s</duration></time-range-offset>" +
            "|EPN-1204|64|value=90s|01:30:00",
        "<time-range><begin>a</begin></time-range>|EPN-1201|13|element=begin|",
        "<batch-size>many</batch-size>|EPN-1204|13|value=many|range",
        "<max-threads>-1</max-threads>|EPN-1204|14|setting=max-threads|range",
        "<repeat>true</repeat>|EPN-1211|1|element=repeat|playback-parameters",
        "<playback-speed>2</playback-speed>|EPN-1211|1|element=playback-speed|playback-parameters",
        "<data-set>x</data-set>|EPN-1201|1|element=data-set|dataset-name"})
    void shouldRefuseWrongRecordParameters(final String body, final String code, final String column, final String text,
        final String hint)
    {
        isRefused("record-parameters", body, code, column, text, hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<playback-speed>0</playback-speed>|EPN-1204|17|value=0|twice as fast",
        "<playback-speed>fast</playback-speed>|EPN-1204|17|value=fast|twice as fast",
        "<repeat>yes</repeat>|EPN-1204|9|value=yes|true or false",
        "<batch-size>5</batch-size>|EPN-1211|1|only recording|in which they were recorded",
        "<max-threads>2</max-threads>|EPN-1210|1|order of the rows|remove it",
        "<schedule-time-range-offset><start>x</start><duration>00:00:01</duration></schedule-time-range-offset>" +
            "|EPN-1204|36|value=x|UTC"})
    void shouldRefuseWrongPlaybackParameters(final String body, final String code, final String column,
        final String text, final String hint)
    {
        isRefused("playback-parameters", body, code, column, text, hint);
    }

    /** @param column in the body */
    private void isRefused(final String element, final String body, final String code, final String column,
        final String text, final String hint)
    {
        configured("<channel><name>in</name><" + element + ">" + (body.startsWith(NAME.substring(0, 14)) ? "" : NAME) +
            '\n' + body + "</" + element + "></channel>\n", "")
            .isRefusedAt(code, FILE + ":3:" + column, text, hint == null ? "" : hint);
    }

    @Test
    void shouldRefuseWhenTheDatasetIsMissing()
    {
        configured("<adapter><name>feed</name>\n<record-parameters/></adapter>\n", "")
            .isRefusedAt("EPN-1203", FILE + ":3:1", "name of a dataset is missing", "<dataset-name>");
    }

    @Test
    void shouldRefuseTwoTimeRangesAndTwoElements()
    {
        final String range =
            "<time-range><start>2026-11-29T10:00:00</start><end>2026-11-29T11:00:00</end></time-range>";
        final String record = "<record-parameters>" + NAME + "</record-parameters>";
        configured("<channel><name>in</name>" + record + '\n' + record + "</channel>\n<channel><name>out</name>" +
            "<record-parameters>" + NAME + range + '\n' + range + "</record-parameters></channel>\n", "")
            .assertRefused("EPN-1206 " + FILE + ":3:1", "EPN-1206 " + FILE + ":5:1");
    }
}
