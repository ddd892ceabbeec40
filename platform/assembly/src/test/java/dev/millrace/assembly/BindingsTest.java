package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each params element creates a separate running query; wrong ones are refused with their position. */
@Timeout(60)
class BindingsTest
{
    private static final String RULES =
        "<rules><view id=\"v\">select * from in</view><query id=\"q\">select :1</query></rules>";

    private final Application application = new Application().assembly("""
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        <wlevs:adapter id="feed" provider="loadgen"/>
        <wlevs:channel id="in" event-type="Tick" source="feed" listeners="rules"/>
        <wlevs:processor id="rules" listeners="out"/>
        <wlevs:channel id="out" event-type="Tick"/>
        """);

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private static String processor(final String bindings)
    {
        return "<processor><name>rules</name>" + RULES + '\n' + bindings + "</processor>\n";
    }

    private ProcessorStage stage(final String params) throws Exception
    {
        return Application.stage(application.configuration(processor("<bindings><binding id=\"q\">" + params +
            "</binding></bindings>")).define(), "rules", ProcessorStage.class);
    }

    @Test
    void shouldRunOneQueryForEachParams() throws Exception
    {
        final ProcessorStage stage = stage("<params id=\"a\">1</params><params id=\"b\">2</params>");

        assertThat(stage.rules()).extracting(ProcessorStage.Rule::id).containsExactly("v", "q_a", "q_b");
        assertThat(stage.rules().get(1).params().values()).containsExactly("1");
        assertThat(stage.rules().get(2).params().values()).containsExactly("2");
        assertThat(stage.rules().get(2).text()).isEqualTo("select :1");
        assertThat(stage.rules().get(2).params().position()).hasToString(Application.CONFIG_FILE + ":3:67");
        assertThat(stage.rules().get(0).params()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "1, 2 , x y|1;2;x y", "\"a,b\",c|\"a,b\";c", "'it''s, so',5|'it''s, so';5",
        "O'Neill, 5 seconds|O'Neill;5 seconds",
        "a,,b|a;;b", "^ ^|", "\"x\" , \"y,\"|\"x\";\"y,\""})
    void shouldSplitValuesAtCommasOutsideQuotes(final String written, final String expected) throws Exception
    {
        final List<String> values = stage("<params id=\"a\">" + written + "</params>").rules().get(1).params().values();

        assertThat(String.join(";", values)).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource({"q, q q_a q_b", "q_b, q_b", "'q_a, q', q_a q q_b"})
    void shouldLetSelectorsNameTheQueryOrARunningOne(final String selector, final String expected) throws Exception
    {
        final NetworkDefinition network = application.configuration(processor(
            "<bindings><binding id=\"q\"><params id=\"a\">1</params><params id=\"b\">2</params></binding></bindings>") +
            "<channel><name>out</name><selector>" + selector + "</selector></channel>\n").define();

        assertThat(Application.stage(network, "out", ChannelStage.class).selector())
            .containsExactly(expected.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "<binding id=\"qq\"><params id=\"a\">1</params></binding>|EPN-1207|24|no query for the binding|queries: q",
        "<binding id=\"v\"><params id=\"a\">1</params></binding>|EPN-1211|24|a view takes no parameters|reads the view",
        "<binding><params id=\"a\">1</params></binding>|EPN-1203|11|needs the id|add id",
        "<binding id=\"q\"/>|EPN-1203|11|no params|add <params",
        "<binding id=\"q\"><params>1</params></binding>|EPN-1203|27|params need an id|add",
        "<binding id=\"q\"><params id=\"a b\">1</params></binding>|EPN-1204|39|id=a b|correct",
        "<binding id=\"q\"><params id=\"a\">'x</params></binding>|EPN-1204|42|does not end|close",
        "<binding id=\"q\"><params id=\"a\">1</params><params id=\"a\">1</params></binding>|EPN-1206|64|" +
            "two params|rename",
        "<binding id=\"q\"><parms id=\"a\">1</parms></binding>|EPN-1201|27|element=parms|'params'",
        "<bindin id=\"q\"/>|EPN-1201|11|element=bindin|'binding'"})
    void shouldRefuseWrongBindings(
        final String binding, final String code, final int column, final String text, final String hint)
    {
        final var problems = application.configuration(processor("<bindings>" + binding + "</bindings>")).refused();

        assertThat(problems.get(0).code()).as("%s", problems).isEqualTo(code);
        assertThat(problems.get(0).position()).hasToString(Application.CONFIG_FILE + ":3:" + column);
        assertThat(problems.get(0).text()).contains(text);
        assertThat(problems.get(0).hint()).contains(hint);
        assertThat(problems.get(0).excerpt()).isNotEmpty();
    }

    @Test
    void shouldRefuseASecondElementAndASecondBinding()
    {
        final String binding = "<binding id=\"q\"><params id=\"a\">1</params></binding>";
        application.configuration(processor("<bindings>" + binding + "\n" + binding + "</bindings>\n<bindings/>"))
            .assertRefused("EPN-1206 " + Application.CONFIG_FILE + ":4:14",
                "EPN-1206 " + Application.CONFIG_FILE + ":5:1");
    }

    @Test
    void shouldRefuseWhenARunningQueryHasTheIdOfAnother()
    {
        application.configuration("<processor><name>rules</name><rules><query id=\"q\">select :1</query>" +
            "<query id=\"q_a\">select 1</query></rules>\n<bindings><binding id=\"q\"><params id=\"a\">1</params>" +
            "</binding></bindings></processor>\n")
            .isRefusedAt("EPN-1206", Application.CONFIG_FILE + ":3:42", "id=q_a", "rename");
    }
}
