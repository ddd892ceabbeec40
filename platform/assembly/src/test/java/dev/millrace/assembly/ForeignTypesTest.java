package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.conversion.BeanType;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels with event types that other applications declare. Bodies start in line 3. */
@Timeout(60)
class ForeignTypesTest
{
    private static final String CODE = "EPN-1219";
    private static final String FILE = Application.EPN_FILE;
    private static final EventType HELLO = new EventType("Hello", EventType.Kind.MAP, List.of(
        new EventProperty("message", CqlType.CHAR, 10), new EventProperty("number", CqlType.INT)), null);
    private static final String READER = """
        <wlevs:adapter id="feed" provider="loadgen" listeners="in"/>
        <wlevs:channel id="in" event-type="hello:Hello"/>
        """;

    private final AdvertisedStages stages = new AdvertisedStages();
    private final Application reader = new Application("reader", stages);
    private final Object version = new Object();

    /** A type that is a class of another application. */
    public static final class Price
    {
        private double amount;

        public double getAmount()
        {
            return amount;
        }

        public void setAmount(final double given)
        {
            amount = given;
        }
    }

    @AfterEach
    void close()
    {
        reader.close();
    }

    private void declare(final EventType... types)
    {
        stages.types().declare(version, "hello", List.of(types), Map.of());
    }

    private EventType typeOfChannel(final String body) throws Exception
    {
        return Application.stage(reader.assembly(body).define(), "in", ChannelStage.class).eventType();
    }

    @Test
    void shouldTakeThePropertiesOfATypeOfAnotherApplication() throws Exception
    {
        declare(HELLO);
        final EventType copy = typeOfChannel(READER);
        assertThat(copy.name()).isEqualTo("hello:Hello");
        assertThat(copy.kind()).isEqualTo(EventType.Kind.MAP);
        assertThat(copy.properties()).isEqualTo(HELLO.properties());
    }

    @Test
    void shouldKeepNoClassOfAnotherApplication() throws Exception
    {
        declare(BeanType.of("Price", Price.class));
        final EventType copy = typeOfChannel(READER.replace(":Hello", ":Price"));
        assertThat(copy.kind()).isEqualTo(EventType.Kind.TUPLE);
        assertThat(copy.beanClass()).isNull();
        assertThat(copy.properties()).containsExactly(new EventProperty("amount", CqlType.DOUBLE));
    }

    @Test
    void shouldPreferATypeOfTheApplicationWithTheSameName() throws Exception
    {
        declare(HELLO);
        assertThat(typeOfChannel("""
            <wlevs:event-type-repository><wlevs:event-type type-name="hello:Hello"><wlevs:properties>
              <wlevs:property name="n" type="int"/></wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
            """ + READER).properties()).containsExactly(new EventProperty("n", CqlType.INT));
    }

    @Test
    void shouldFindTheTypeOfAPlaceholder() throws Exception
    {
        declare(HELLO);
        reader.with(Map.of("type", "hello:Hello"));
        assertThat(typeOfChannel(READER.replace("hello:Hello", "${type}")).properties()).isEqualTo(HELLO.properties());
    }

    @Test
    void shouldRefuseTypesThatNoOtherApplicationDeclares()
    {
        reader.assembly(READER).isRefusedAt(CODE, FILE + ":4:36", "no other application declares the event type, " +
            "channel=in event-type=hello:Hello declared=[]", "install hello first");
    }

    @Test
    void shouldNameTheTypesThatTheOtherApplicationDeclares()
    {
        declare(HELLO);
        reader.assembly(READER.replace("hello:Hello", "hello:Helo")).isRefusedAt(CODE, FILE + ":4:36",
            "event-type=hello:Helo declared=[hello:Hello]", "name one of those");
    }

    @Test
    void shouldFindNoTypeOfAnApplicationThatHasWithdrawnItsTypes()
    {
        declare(HELLO);
        stages.types().withdraw(version);
        reader.assembly(READER).isRefusedAt(CODE, FILE + ":4:36", "declared=[]", "install hello first");
    }

    @Test
    void shouldRefuseOwnTypeWithNameOfApplication()
    {
        stages.types().declare(version, "reader", List.of(HELLO), Map.of());
        reader.assembly(READER.replace("hello:Hello", "reader:Hello")).isRefusedAt(CODE, FILE + ":4:36",
            "belongs to this application", "write its name only: Hello");
        assertThat(reader.missingTypes()).as("no other application will declare it").isEmpty();
    }

    @Test
    void shouldNameMissingTypesOfChannelsOnly()
    {
        reader.assembly(READER).isRefusedAt(CODE, FILE + ":4:36", "no other application declares the event type",
            "install hello first");
        assertThat(reader.missingTypes()).containsExactly("hello:Hello");

        final EventTypes types = new EventTypes(Map.of(), stages.types()::find);
        assertThat(types.eventType("row:Value")).isNull();
        assertThat(types.missing()).as("names may come from rows").isEmpty();
    }

    @Test
    void shouldRefuseIncompleteNamesAndOtherUses()
    {
        reader.assembly("""
            <wlevs:channel id="a" event-type=":Hello"/>
            <wlevs:channel id="b" event-type="hello:"/>
            <wlevs:channel id="c" event-type="hello:Hello:1"/>
            <wlevs:table id="t" event-type="hello:Hello" data-source="trades"/>
            """).assertRefused("EPN-1204 " + FILE + ":3:35", "EPN-1204 " + FILE + ":4:35", "EPN-1204 " + FILE + ":5:35",
            "EPN-1210 " + FILE + ":6:33");
    }

    @Test
    void shouldRefuseTypesInAProcessThatDoesNotKnowOtherApplications()
    {
        try (Application alone = new Application())
        {
            alone.assembly(READER).isRefusedAt(CODE, FILE + ":4:36", "are not known in this process", "eventType");
        }
    }

    @Test
    void shouldLeaveOutWhatCannotBePlannedWithoutTheOtherApplication() throws Exception
    {
        try (Application alone = new Application())
        {
            final NetworkDefinition network = alone.assembly(READER.replace("\"in\" ", "\"in\" listeners=\"rules\" ") +
                """
                <wlevs:processor id="rules" listeners="out"/>
                <wlevs:event-type-repository><wlevs:event-type type-name="Own"><wlevs:properties>
                  <wlevs:property name="n" type="int"/></wlevs:properties></wlevs:event-type>
                </wlevs:event-type-repository>
                <wlevs:channel id="out" event-type="Own"/>
                """).configuration("""
                <processor><name>rules</name><rules><query id="q">select n from in</query></rules></processor>
                """).validate();
            assertThat(network.warnings()).singleElement().satisfies(note ->
            {
                assertThat(note.code()).isEqualTo("EPN-1217");
                assertThat(note.position()).hasToString(FILE + ":4:54");
                assertThat(note.text()).contains("channel=in event-type=hello:Hello unchecked=[rules]");
            });
            assertThat(network.stages()).extracting(stage -> stage.id()).containsExactlyInAnyOrder("feed", "out");
        }
    }

    @Test
    void shouldDescribeCopiesThatDifferFromTheNextVersionOfTheType() throws Exception
    {
        declare(HELLO);
        final EventType copy = typeOfChannel(READER);
        stages.types().declare(this, "reader", List.of(), Map.of(copy.name(), copy));
        assertThat(stages.types().outdated("hello")).isEmpty();

        final Object next = new Object();
        stages.types().declare(next, "hello",
            List.of(EventType.tuple("Hello", new EventProperty("message", CqlType.CHAR, 10))), Map.of());
        stages.types().withdraw(version);
        assertThat(stages.types().outdated("hello")).containsExactly("application reader continues with the earlier " +
            "event type hello:Hello[message char, number int]; the type is now hello:Hello[message char]: update " +
            "reader");
        assertThat(stages.types().outdated("reader")).isEmpty();
        stages.types().withdraw(next);
        assertThat(stages.types().outdated("hello")).singleElement().asString().contains("is now not declared");
    }
}
