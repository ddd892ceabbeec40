package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors in assembly files are refused with code, file, line, column and hint. The body starts in line 3. */
@Timeout(60)
class BadAssemblyTest
{
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    private static final String SINK = "<bean id=\"sink\" class=\"dev.millrace.assembly.TestStages$Collector\"/>\n";
    private static final String FILE = Application.EPN_FILE;

    private final Application application = new Application();

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    private void isRefusedAt(
        final String body, final String code, final String place, final String text, final String hint)
    {
        application.assembly(TYPES + SINK + body).isRefusedAt(code, FILE + ':' + place, text, hint);
    }

    @Test
    void shouldNameNearestElementWhenElementIsUnknown()
    {
        isRefusedAt("  <wlevs:chanel id=\"a\" event-type=\"Tick\"/>\n", "EPN-1201", "7:3",
            "element=wlevs:chanel", "did you mean 'channel'?");
    }

    @Test
    void shouldListElementsWhenNoneIsNear()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">\n  <wlevs:zzz/></wlevs:channel>\n", "EPN-1201", "8:3",
            "parent=wlevs:channel element=wlevs:zzz",
            "application-timestamped, instance-property, listener, property, source");
    }

    @Test
    void shouldNameNearestAttributeWhenAttributeIsUnknown()
    {
        isRefusedAt("<wlevs:channel id=\"a\"\n    evnet-type=\"x\" event-type=\"Tick\"/>\n", "EPN-1202", "8:5",
            "element=wlevs:channel attribute=evnet-type", "did you mean 'event-type'?");
    }

    @Test
    void shouldRefuseWhenAttributeOfSpringBeanIsUnknown()
    {
        isRefusedAt("<bean id=\"x\" clas=\"dev.millrace.assembly.TestStages$Plain\"/>\n", "EPN-1202", "7:14",
            "element=bean attribute=clas", "did you mean 'class'?");
    }

    @Test
    void shouldRefuseWhenElementOfSpringBeanIsUnknown()
    {
        isRefusedAt("""
            <bean id="x" class="dev.millrace.assembly.TestStages$Plain">
              <propery name="a" value="1"/>
            </bean>
            """, "EPN-1201", "8:3", "element=propery", "did you mean 'property'?");
    }

    @Test
    void shouldRefuseWhenRequiredAttributeIsMissing()
    {
        isRefusedAt("<wlevs:channel id=\"a\"/>\n", "EPN-1203", "7:1", "attribute=event-type", "event-type=");
    }

    @Test
    void shouldRefuseWhenStageHasNoId()
    {
        isRefusedAt("<wlevs:channel event-type=\"Tick\"/>\n", "EPN-1203", "7:1", "a stage needs an id", "add id=");
    }

    @Test
    void shouldRefuseWhenTextStandsBetweenElements()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">oops</wlevs:channel>\n", "EPN-1201", "7:1",
            "text='oops'", "remove the text");
    }

    @Test
    void shouldNameNearestNamespaceWhenNamespaceIsUnknown()
    {
        isRefusedAt("  <x:channel xmlns:x=\"http://www.bea.com/ns/wlevs/sprng\" id=\"a\"/>\n", "EPN-1205", "7:3",
            "namespace=http://www.bea.com/ns/wlevs/sprng", "did you mean 'http://www.bea.com/ns/wlevs/spring'?");
    }

    @Test
    void shouldRefuseWhenRootIsInWrongNamespace()
    {
        application.assemblyFile("a.xml", "<!-- -->\n<beans xmlns=\"urn:x\"/>").isRefusedAt(
            "EPN-1205", "a.xml:2:1", "found=beans namespace=urn:x", "http://www.springframework.org/schema/beans");
    }

    @Test
    void shouldRefuseWhenFileHasDoctype()
    {
        application.assemblyFile("a.xml", "<!DOCTYPE beans>\n" + Application.HEADER + Application.FOOTER)
            .isRefusedAt("EPN-1102", "a.xml:1:1", "DOCTYPE", "remove");
    }

    @Test
    void shouldRefuseWhenFileIsNotWellFormed()
    {
        application.assemblyFile("a.xml", Application.HEADER + "<bean>\n</beans>")
            .isRefusedAt("EPN-1101", "a.xml:4:7", "\"bean\"", "correct");
    }

    @Test
    void shouldNameNearestStageWhenListenerDangles()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">\n  <wlevs:listener ref=\"snik\"/></wlevs:channel>\n",
            "EPN-1207", "8:24", "ref=snik", "did you mean 'sink'?");
    }

    @Test
    void shouldTellPlaceInListWhenListenersAttributeDangles()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\" listeners=\"sink, nobody\"/>\n", "EPN-1207", "7:58",
            "ref=nobody", "it can be");
    }

    @Test
    void shouldRefuseWhenSourceDangles()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\"><wlevs:source ref=\"feed\"/></wlevs:channel>\n",
            "EPN-1207", "7:60", "there is no such source, ref=feed", "");
    }

    @Test
    void shouldRefuseWhenCacheSourceDangles()
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p").replace("RULES",
            "<query id=\"q\">select * from a</query>"));
        isRefusedAt("<wlevs:processor id=\"p\"><wlevs:cache-source ref=\"c\"/></wlevs:processor>\n", "EPN-1207", "7:50",
            "there is no such cache, ref=c", "there are no");
    }

    @Test
    void shouldRefuseWhenCachingSystemOrLoaderDangle()
    {
        assertThat(application.assembly("""
            <wlevs:cache id="c"><wlevs:caching-system ref="cs"/><wlevs:cache-loader ref="l"/></wlevs:cache>
            """).refusedAt()).containsExactly("EPN-1207 " + FILE + ":3:48", "EPN-1207 " + FILE + ":3:78");
    }

    @Test
    void shouldRefuseWhenCacheThatTakesEventsHasNoKey()
    {
        isRefusedAt("<wlevs:cache id=\"c\"/>\n<wlevs:channel id=\"a\" event-type=\"Tick\" listeners=\"c\"/>\n",
            "EPN-1203", "7:1", "needs the attributes value-type and key-properties, cache=c", "event type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "sink"})
    void shouldRefuseWhenListenerOfCacheIsNoChannel(final String listener)
    {
        isRefusedAt("<wlevs:cache id=\"c\" listeners=\"" + listener + "\" value-type=\"Tick\"/>\n", "EPN-1207", "7:32",
            "ref=" + listener, "");
    }

    @Test
    void shouldRefuseWhenChannelOfCacheCarriesOtherEvents()
    {
        isRefusedAt("""
            <wlevs:event-type-repository><wlevs:event-type type-name="Other"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/></wlevs:properties></wlevs:event-type>
            </wlevs:event-type-repository>
            <wlevs:cache id="c" value-type="Other" key-properties="symbol"/>
            <wlevs:channel id="a" event-type="Tick" listeners="c"/>
            """, "EPN-1214", "11:1", "value-type=Other channel=a event-type=Tick", "one event type");
    }

    @ParameterizedTest
    @CsvSource({"cluster, in no cluster, <cluster>", "locl, provider=locl, local"})
    void shouldRefuseWhenCachingSystemIsNotThere(final String provider, final String text, final String hint)
    {
        isRefusedAt("<wlevs:caching-system id=\"c\" provider=\"" + provider + "\"/>\n", "EPN-1209", "7:40", text,
            hint);
    }

    @Test
    void shouldRefuseWhenEventTypeIsUnknown()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tikc\"/>\n", "EPN-1208", "7:35", "name=Tikc",
            "did you mean 'Tick'?");
    }

    @Test
    void shouldRefuseWhenProviderIsUnknown()
    {
        isRefusedAt("<wlevs:adapter id=\"a\" provider=\"laodgen\"/>\n", "EPN-1209", "7:33", "provider=laodgen",
            "did you mean 'loadgen'?");
    }

    @Test
    void shouldRefuseWhenProviderOfEventBeanIsUnknown()
    {
        isRefusedAt("<wlevs:event-bean id=\"a\" provider=\"x\"/>\n", "EPN-1209", "7:36", "event-bean provider",
            "install the bundle");
    }

    @Test
    void shouldRefuseWhenIdIsUsedTwice()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\"/>\n<wlevs:processor id=\"a\"/>\n", "EPN-1206", "8:22",
            "id=a first=" + FILE + ":7:20", "another id");
    }

    @Test
    void shouldRefuseWhenBeanHasIdOfChannel()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\"/>\n" +
            "<bean id=\"a\" class=\"dev.millrace.assembly.TestStages$Plain\"/>\n", "EPN-1206", "8:1", "id=a",
            "another");
    }

    @Test
    void shouldRefuseWhenAdapterHasIdOfBeanOrBeanOfAdapter()
    {
        final String bean = "<bean id=\"a\" class=\"dev.millrace.assembly.TestStages$Plain\"/>\n";
        final String adapter = "<wlevs:adapter id=\"a\" provider=\"loadgen\"/>\n";
        assertThat(application.assembly(bean + adapter).refusedAt()).containsExactly("EPN-1206 " + FILE + ":4:20");
        try (Application other = new Application())
        {
            assertThat(other.assembly(adapter + bean).refusedAt()).containsExactly("EPN-1206 " + FILE + ":4:1");
        }
    }

    @Test
    void shouldRefuseWhenEventTypeIsDeclaredTwiceInTwoFiles()
    {
        application.assembly(TYPES).assemblyFile("b.xml", Application.HEADER + TYPES + Application.FOOTER)
            .isRefusedAt("EPN-1206", "b.xml:3:59", "first=" + FILE + ":3:30", "rename");
    }

    @Test
    void shouldRefuseWhenClassAndProviderAreBothThereOrBothMissing()
    {
        assertThat(application.assembly("""
            <wlevs:adapter id="a" class="dev.millrace.assembly.TestStages$FeedAdapter" provider="loadgen"/>
            <wlevs:event-bean id="b"/>
            """).refusedAt()).containsExactly("EPN-1211 " + FILE + ":3:1", "EPN-1203 " + FILE + ":4:1");
    }

    @ParameterizedTest
    @CsvSource({"max-threads, many", "max-threads, -1", "max-threads, 257", "max-size, 1.5", "max-size, ''",
        "batching, yes", "is-relation, TRUE", "when-full, drop"})
    void shouldRefuseWhenValueDoesNotFit(final String attribute, final String value)
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\"\n " + attribute + "=\"" + value + "\"/>\n", "EPN-1204",
            "8:" + (attribute.length() + 4), "setting=" + attribute + " value=" + value, "write");
    }

    @Test
    void shouldRefuseWhenStreamHasKeyAndUpdatesHaveNone()
    {
        assertThat(application.assembly(TYPES + """
            <wlevs:channel id="a" event-type="Tick" is-relation="true" update-semantics="true"/>
            <wlevs:channel id="b" event-type="Tick" primary-key="symbol"/>
            """).refusedAt()).containsExactly("EPN-1211 " + FILE + ":6:78", "EPN-1211 " + FILE + ":7:54");
    }

    @Test
    void shouldRefuseWhenPrimaryKeyOrTimestampIsNoProperty()
    {
        assertThat(application.assembly(TYPES + """
            <wlevs:channel id="a" event-type="Tick" is-relation="true" primary-key="symbol simbol"/>
            <wlevs:channel id="b" event-type="Tick"><wlevs:application-timestamped>
              <wlevs:expression> when</wlevs:expression></wlevs:application-timestamped></wlevs:channel>
            <wlevs:channel id="c" event-type="Tick"><wlevs:application-timestamped>
              <wlevs:expression>symbol</wlevs:expression></wlevs:application-timestamped></wlevs:channel>
            """).refusedAt()).containsExactly(
                "EPN-1207 " + FILE + ":6:80", "EPN-1207 " + FILE + ":8:22", "EPN-1204 " + FILE + ":10:21");
    }

    @Test
    void shouldRefuseWhenProcessorIsConnectedWithoutChannel()
    {
        application.configuration(BadConfigurationTest.PROCESSOR.replace("NAME", "p")
            .replace("RULES", "<query id=\"q\">select * from a</query>"));
        isRefusedAt("<wlevs:processor id=\"p\"><wlevs:listener ref=\"sink\"/></wlevs:processor>\n",
            "EPN-1214", "7:46", "from=p to=sink", "declare a wlevs:channel");
    }

    @Test
    void shouldRefuseWhenStageListensToItself()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\" listeners=\"a\"/>\n", "EPN-1214", "7:52", "its own",
            "");
    }

    @Test
    void shouldRefuseWhenNestedStageIsUsedByAnother()
    {
        isRefusedAt("""
            <wlevs:channel id="a" event-type="Tick"><wlevs:listener>
              <wlevs:event-bean id="inner" provider="collect"/></wlevs:listener></wlevs:channel>
            <wlevs:channel id="b" event-type="Tick" listeners="inner"/>
            """, "EPN-1214", "9:52", "parent=a", "top level");
    }

    @Test
    void shouldRefuseWhenListenerTakesNoEvents()
    {
        isRefusedAt("""
            <bean id="plain" class="dev.millrace.assembly.TestStages$Plain"/>
            <wlevs:channel id="a" event-type="Tick" listeners="plain"/>
            """, "EPN-1214", "8:52", "class=dev.millrace.assembly.TestStages$Plain", "StreamSink");
    }

    @Test
    void shouldRefuseWhenSourceSendsNoEvents()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\" source=\"sink\"/>\n", "EPN-1214", "7:49",
            "the stage cannot send events, stage=sink", "StreamSource");
    }

    @Test
    void shouldRefuseWhenListenerHasReferenceAndNestedBean()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\">\n <wlevs:listener ref=\"sink\"><ref bean=\"sink\"/>" +
            "</wlevs:listener></wlevs:channel>\n", "EPN-1203", "8:2", "either the attribute ref or one nested", "");
    }

    @Test
    void shouldRefuseWhenStageIsValueOfProperty()
    {
        isRefusedAt("""
            <bean id="x" class="dev.millrace.assembly.TestStages$Collector"><property name="cache">
              <wlevs:cache id="c"/></property></bean>
            """, "EPN-1201", "8:3", "parent=property element=wlevs:cache", "");
    }

    @Test
    void shouldRefuseWhenClassIsUnknown()
    {
        isRefusedAt("<wlevs:adapter id=\"a\" class=\"no.such.Adapter\"/>\n", "EPN-1212", "7:30",
            "class=no.such.Adapter", "Import-Package");
    }

    @Test
    void shouldRefuseWhenClassOfSpringBeanIsUnknown()
    {
        isRefusedAt(" <bean id=\"x\" class=\"no.such.Bean\"/>\n", "EPN-1212", "7:2",
            "bean=x class=no.such.Bean", "Import-Package");
    }

    @Test
    void shouldRefuseWhenInstancePropertyIsUnknown()
    {
        isRefusedAt("<wlevs:adapter id=\"a\" provider=\"loadgen\">\n" +
            "  <wlevs:instance-property name=\"prot\" value=\"1\"/></wlevs:adapter>\n", "EPN-1402", "8:3",
            "bean=a class=dev.millrace.assembly.TestStages$FeedAdapter property=prot", "did you mean 'port'?");
    }

    @Test
    void shouldRefuseWhenInstancePropertyCannotBeConverted()
    {
        isRefusedAt("<wlevs:adapter id=\"a\" provider=\"loadgen\">\n" +
            "  <wlevs:instance-property name=\"port\" value=\"many\"/></wlevs:adapter>\n", "EPN-1403", "8:3",
            "property=port value=many", "correct the value");
    }

    @Test
    void shouldRefuseWhenSetterThrows()
    {
        isRefusedAt("<wlevs:adapter id=\"a\" provider=\"loadgen\">\n" +
            "  <wlevs:instance-property name=\"port\" value=\"70000\"/></wlevs:adapter>\n", "EPN-1403", "8:3",
            "reason=port must be at most 65535", "correct the value");
    }

    @Test
    void shouldRefuseEveryUseWhenPlaceholderHasNoValue()
    {
        final List<Problem> problems = application.assembly(TYPES + """
            <wlevs:adapter id="a" provider="loadgen">
              <wlevs:instance-property name="port" value="${no.port}"/></wlevs:adapter>
            <bean id="x" class="dev.millrace.assembly.TestStages$Collector">
              <property name="label" value="port ${no.port}"/></bean>
            """).refused();

        assertThat(problems).extracting(problem -> problem.code() + " " + problem.position() + " " + problem.text())
            .containsExactly(
                "EPN-1404 " + FILE + ":7:47 the placeholder has no value, name=no.port",
                "EPN-1404 " + FILE + ":9:38 the placeholder has no value, name=no.port");
        assertThat(problems.get(0).hint()).contains("-Dno.port=value");
    }

    @Test
    void shouldRefuseWhenPlaceholderOfChannelHasNoValue()
    {
        isRefusedAt("<wlevs:channel id=\"a\" event-type=\"Tick\" max-threads=\"${no.threads}\"/>\n", "EPN-1404", "7:54",
            "text=${no.threads}", "-D");
    }

    @Test
    void shouldTellWhyWhenConstructorThrows()
    {
        isRefusedAt("  <bean id=\"x\" class=\"dev.millrace.assembly.TestStages$Broken\"/>\n", "EPN-1401", "7:3",
            "bean=x reason=java.lang.IllegalStateException: symbols.txt is not there", "log");
    }

    @Test
    void shouldRefuseWhenBeanReferenceDangles()
    {
        isRefusedAt("""
            <bean id="x" class="dev.millrace.assembly.TestStages$Collector">
              <property name="cache" ref="snik"/></bean>
            """, "EPN-1207", "8:3", "bean=x ref=snik", "did you mean 'sink'?");
    }

    @Test
    void shouldRefuseWhenInitMethodIsMissing()
    {
        isRefusedAt("<wlevs:event-bean id=\"b\" provider=\"collect\" init-method=\"begin\"/>\n", "EPN-1401", "7:1",
            "begin", "");
    }

    @Test
    void shouldRefuseWhenPropertyOfEventTypeIsWrong()
    {
        assertThat(application.assembly("""
            <wlevs:event-type-repository>
             <wlevs:event-type type-name="A"><wlevs:properties>
              <wlevs:property name="a" type="integr"/>
              <wlevs:property name="b" type="char" length="5000"/>
              <wlevs:property name="B" type="char"/>
              <wlevs:property name="c" type="int" length="5"/>
             </wlevs:properties></wlevs:event-type>
             <wlevs:event-type type-name="B"><wlevs:class>no.Such</wlevs:class></wlevs:event-type>
             <wlevs:event-type type-name="C"><wlevs:class>java.lang.Runnable</wlevs:class></wlevs:event-type>
             <wlevs:event-type type-name="D"/>
             <wlevs:event-type type-name="E"><wlevs:properties type="tupel"/></wlevs:event-type>
            </wlevs:event-type-repository>
            """).refusedAt()).containsExactly("EPN-1203 " + FILE + ":12:2", "EPN-1204 " + FILE + ":13:58");
        try (Application second = new Application())
        {
            assertThat(second.assembly("""
                <wlevs:event-type-repository>
                 <wlevs:event-type type-name="A"><wlevs:properties>
                  <wlevs:property name="a" type="integr"/>
                  <wlevs:property name="b" type="char" length="5000"/>
                  <wlevs:property name="B" type="char"/>
                  <wlevs:property name="c" type="int" length="5"/>
                 </wlevs:properties></wlevs:event-type>
                 <wlevs:event-type type-name="B"><wlevs:class>no.Such</wlevs:class></wlevs:event-type>
                 <wlevs:event-type type-name="C"><wlevs:class>java.lang.Runnable</wlevs:class></wlevs:event-type>
                </wlevs:event-type-repository>
                """).refusedAt()).containsExactly("EPN-1213 " + FILE + ":5:34", "EPN-1204 " + FILE + ":6:48",
                    "EPN-1206 " + FILE + ":7:25", "EPN-1211 " + FILE + ":8:47", "EPN-1212 " + FILE + ":10:47",
                    "EPN-1213 " + FILE + ":11:47");
        }
    }

    @Test
    void shouldReportAllProblemsOfAllFilesTogether()
    {
        assertThat(application.assembly(TYPES + """
            <wlevs:channel id="a" event-typ="Tick"/>
            <wlevs:channel id="b" event-type="Tock" listeners="nobody"/>
            """).assemblyFile("b.xml", "<beans").assemblyFile("c.xml", Application.HEADER + "<b/>" +
                Application.FOOTER).refusedAt()).containsExactly(
                    "EPN-1203 " + FILE + ":6:1", "EPN-1202 " + FILE + ":6:23", "EPN-1208 " + FILE + ":7:35",
                    "EPN-1207 " + FILE + ":7:52", "EPN-1101 b.xml:1:7", "EPN-1201 c.xml:3:1");
    }

    @Test
    void shouldRefuseWhenFileImportsAnother()
    {
        isRefusedAt("<import resource=\"http://127.0.0.1:1/other.xml\"/>\n", "EPN-1210", "7:1", "element=import",
            "META-INF/spring");
    }
}
