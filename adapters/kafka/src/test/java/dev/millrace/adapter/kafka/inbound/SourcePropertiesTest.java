package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import dev.millrace.adapter.kafka.property.ClientProperties;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties that deployment refuses, and secrets in those of the client. */
@Timeout(60)
class SourcePropertiesTest
{
    private static void refused(final Consumer<KafkaSource> properties, final String... parts)
    {
        assertThatThrownBy(() -> new RunningSource("127.0.0.1:1", TestStage.TICK, new Receiver(), properties))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts);
    }

    private static Properties properties(final String name, final String value)
    {
        final Properties properties = new Properties();
        properties.setProperty(name, value);
        return properties;
    }

    @ParameterizedTest
    @CsvSource({"start, soon", "format, xml", "partitions, 3-1", "missing, maybe"})
    void shouldRefuseAWrongWord(final String name, final String value)
    {
        refused(source ->
        {
            source.setTopics("ticks");
            switch (name)
            {
                case "start" -> source.setStart(value);
                case "format" -> source.setFormat(value);
                case "partitions" -> source.setPartitions(value);
                default -> source.setMissing(value);
            }
        }, "KAF-0101", "app/kafka", name, value);
    }

    @Test
    void shouldRequireTopics()
    {
        refused(source -> { }, "KAF-0101", "topics");
    }

    @Test
    void shouldRefuseAColumnThatTheEventTypeLacks()
    {
        refused(source ->
        {
            source.setTopics("ticks");
            source.setKeyColumn("customer");
        }, "KAF-0101", "keyColumn", "customer");
    }

    @Test
    void shouldRefuseAColumnForTwoPartsOfARecord()
    {
        refused(source ->
        {
            source.setTopics("ticks");
            source.setColumns("id, symbol");
            source.setKeyColumn("symbol");
        }, "KAF-0101", "symbol");
    }

    @Test
    void shouldRefusePropertiesOfTheClientThatTheSourceSets()
    {
        refused(source ->
        {
            source.setTopics("ticks");
            source.setClientProperties(properties("group.id", "mine"));
        }, "KAF-0101", "group.id");
    }

    @Test
    void shouldRefusePropertiesThatTheClientRefuses()
    {
        refused(source ->
        {
            source.setTopics("ticks");
            source.setClientProperties(properties("security.protocol", "NONE"));
        }, "KAF-0102", "NONE");
    }

    @Test
    void shouldInsertSecretsAndQuoteThemForJaas()
    {
        final PropertyCheck check = new PropertyCheck(KafkaErrorCode.PROPERTY, "app/kafka");
        final Properties given = properties("sasl.jaas.config", "Module required password=\"${secret:a}\";");
        given.setProperty("ssl.truststore.password", "${secret:a}");
        assertThat(new ClientProperties(check, given).resolve(check, name -> "x\"\\$1")).containsOnly(
            Map.entry("sasl.jaas.config", "Module required password=\"x\\\"\\\\$1\";"),
            Map.entry("ssl.truststore.password", "x\"\\$1"));
        assertThatThrownBy(() -> new ClientProperties(check, given).resolve(check, name -> null))
            .hasMessageContainingAll("KAF-0101", "${secret:a}");
    }
}
