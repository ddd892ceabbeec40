package dev.millrace.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.function.AggregateFunction;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.api.window.TimeWindow;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.UserObjects;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions, windows, tables and options of relation channels come from the assembly file into the definition. */
@Timeout(60)
class UserObjectFactoryTest
{
    private static final String TYPES = """
        <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
          <wlevs:property name="symbol" type="char"/><wlevs:property name="at" type="bigint"/>
        </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;
    private static final String CLASS = "dev.millrace.assembly.UserObjectFactoryTest$";

    private final Application application = new Application().configuration(
        "<processor><name>p</name><rules><query id=\"q\">select * from a</query></rules></processor>\n");

    @AfterEach
    void closeContext()
    {
        application.close();
    }

    /** A class with only one method. */
    public static final class Doubler
    {
        /** Twice the value. */
        public int twice(final int value)
        {
            return value * 2;
        }
    }

    /** An aggregate. */
    public static final class Longest implements AggregateFunctionFactory
    {
        @Override
        public List<Class<?>> argumentTypes()
        {
            return List.of(String.class);
        }

        @Override
        public Class<?> resultType()
        {
            return String.class;
        }

        @Override
        public AggregateFunction newFunction()
        {
            throw new IllegalStateException("nobody calls it here");
        }
    }

    /** A window. */
    public static final class Windows implements TimeWindowFactory
    {
        @Override
        public TimeWindow newWindow(final List<Object> arguments)
        {
            throw new IllegalStateException("nobody calls it here");
        }
    }

    private Application with(final String children, final String others)
    {
        return application.assembly(
            TYPES + "<wlevs:processor id=\"p\">\n" + children + "</wlevs:processor>\n" + others);
    }

    private UserObjects objects(final String children, final String others) throws Exception
    {
        return Application.stage(with(children, others).define(), "p", ProcessorStage.class).objects();
    }

    private void isRefused(
        final String children, final String others, final String code, final String text, final String hint)
    {
        final List<Problem> problems = with(children, others).refused();
        assertThat(problems).as("%s", problems).hasSize(1);
        assertThat(problems.get(0).code()).isEqualTo(code);
        assertThat(problems.get(0).text()).contains(text);
        assertThat(problems.get(0).hint()).contains(hint);
        assertThat(problems.get(0).position().line()).isGreaterThan(6);
        assertThat(problems.get(0).excerpt()).isNotEmpty();
    }

    @Test
    void shouldTakeFunctionsFromNestedBeanReferenceAndClass() throws Exception
    {
        final UserObjects objects = objects("""
            <wlevs:function function-name="nested" exec-method="twice"><bean class="CLASSDoubler"/></wlevs:function>
            <wlevs:function epl-name="referred" exec-method="twice" ref="doubler"/>
            <wlevs:function function-name="made" exec-method="twice" class="CLASSDoubler" return-type="int"/>
            <wlevs:function function-name="fixed" exec-method="abs" class="java.lang.Math"/>
            <wlevs:function function-name="longest" class="CLASSLongest"/>
            """.replace("CLASS", CLASS), "<bean id=\"doubler\" class=\"" + CLASS + "Doubler\"/>");

        assertThat(objects.functions()).extracting(UserObjects.Function::name)
            .containsExactly("nested", "referred", "made", "fixed", "longest");
        assertThat(objects.functions()).extracting(function -> function.target().getClass().getSimpleName())
            .containsExactly("Doubler", "Doubler", "Doubler", "Class", "Longest");
        assertThat(objects.functions().get(1).target()).isSameAs(application.context().getBean("doubler"));
        assertThat(objects.functions()).extracting(UserObjects.Function::execMethod)
            .containsExactly("twice", "twice", "twice", "abs", null);
        assertThat(objects.functions().get(2).returnType()).isEqualTo("int");
        assertThat(objects.functions().get(0).position()).hasToString(Application.EPN_FILE + ":7:1");
    }

    @Test
    void shouldTakeWindows() throws Exception
    {
        final UserObjects objects = objects("<wlevs:window window-name=\"w\" class=\"" + CLASS + "Windows\"/>\n" +
            "<wlevs:window window-name=\"x\"><bean class=\"" + CLASS + "Windows\"/></wlevs:window>", "");

        assertThat(objects.windows()).extracting(UserObjects.Window::name).containsExactly("w", "x");
    }

    @Test
    void shouldTakeTablesWithTheDataSourceOfTheServer() throws Exception
    {
        final UserObjects objects = objects("<wlevs:table-source ref=\"t\"/><wlevs:table-source ref=\"u\"/>", """
            <wlevs:table id="t" event-type="Tick" data-source="trades"/>
            <wlevs:table id="u" event-type="Tick" data-source="trades" table-name="S.U"/>
            """);

        assertThat(objects.tables()).extracting(UserObjects.Table::name).containsExactly("t", "u");
        assertThat(objects.tables()).extracting(UserObjects.Table::tableName).containsExactly("t", "S.U");
        assertThat(objects.tables()).allMatch(table -> table.dataSource() == TestPlatform.DATA_SOURCE);
        assertThat(objects.tables().get(0).type().name()).isEqualTo("Tick");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<wlevs:function exec-method=\"x\" class=\"java.lang.Math\"/>|EPN-1203|needs a name|function-name",
        "<wlevs:function function-name=\"f\" exec-method=\"x\"/>|EPN-1203|ref or one nested bean|ref",
        "<wlevs:function function-name=\"f\" exec-method=\"abs\" ref=\"no\"/>|EPN-1207|ref=no|it can be",
        "<wlevs:function function-name=\"f\" exec-method=\"x\" class=\"no.Such\"/>|EPN-1212|class=no.Such|" +
            "Import-Package",
        "<wlevs:function function-name=\"f\" class=\"CLASSDoubler\"/>|EPN-1203|no method to call|exec-method",
        "<wlevs:function function-name=\"f x\" exec-method=\"abs\" class=\"java.lang.Math\"/>|EPN-1204|" +
            "name=f x|letters",
        "<wlevs:function function-name=\"f\" epl-name=\"f\" exec-method=\"abs\" class=\"java.lang.Math\"/>" +
            "|EPN-1211|old name|remove",
        "<wlevs:function function-name=\"f\" class=\"CLASSLongest\" ref=\"x\"/>|EPN-1211|" +
            "either a class or a bean|remove",
        "<wlevs:window window-name=\"\" class=\"CLASSWindows\"/>|EPN-1203|needs a name|window-name",
        "<wlevs:window class=\"CLASSWindows\"/>|EPN-1203|attribute=window-name|add",
        "<wlevs:window window-name=\"w\" class=\"CLASSDoubler\"/>|EPN-1214|not a window|TimeWindowFactory",
        "<wlevs:window window-name=\"w\" class=\"CLASSWindows\"/><wlevs:window window-name=\"W\" ref=\"x\"/>" +
            "|EPN-1206|two windows|another name",
        "<wlevs:table-source ref=\"no\"/>|EPN-1207|ref=no|it can be",
        "<wlevs:table-source ref=\"other.app:t\"/>|EPN-1210|ref=other.app:t|declare it in this application"})
    void shouldRefuseWrongObjects(final String children, final String code, final String text, final String hint)
    {
        isRefused(children.replace("CLASS", CLASS), "", code, text, hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<wlevs:table id=\"t\" event-type=\"Tikc\" data-source=\"trades\"/>|EPN-1208|name=Tikc|'Tick'",
        "<wlevs:table id=\"t\" event-type=\"Tick\" data-source=\"traeds\"/>|EPN-1207|data-source=traeds|'trades'",
        "<wlevs:table id=\"t\" event-type=\"Tick\" data-source=\"${no}\"/>|EPN-1404|${no}|start the server",
        "<wlevs:table id=\"t\" event-type=\"Tick\" data-source=\"trades\"/>" +
            "<wlevs:table id=\"t\" event-type=\"Tick\" data-source=\"trades\"/>|EPN-1206|id=t|another id"})
    void shouldRefuseWrongTables(final String table, final String code, final String text, final String hint)
    {
        final List<Problem> problems = with("<wlevs:table-source ref=\"t\"/>", table).refused();

        assertThat(problems.get(0).code()).as("%s", problems).isEqualTo(code);
        assertThat(problems.get(0).text()).contains(text);
        assertThat(problems.get(0).hint()).contains(hint);
    }

    @Test
    void shouldCarryTheOptionsOfRelations() throws Exception
    {
        final var network = with("", """
            <wlevs:channel id="plain" event-type="Tick" is-relation="true" primary-key="symbol"/>
            <wlevs:channel id="set" event-type="Tick" is-relation="true" primary-key="symbol"
              update-semantics="true" silent="false"/>
            """).define();

        assertThat(Application.stage(network, "plain", ChannelStage.class).changes())
            .isEqualTo(new ChannelStage.Changes(false, null));
        assertThat(Application.stage(network, "set", ChannelStage.class).changes())
            .isEqualTo(new ChannelStage.Changes(true, false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "update-semantics=\"true\"|EPN-1211|setting=update-semantics|is-relation",
        "silent=\"true\"|EPN-1211|setting=silent|is-relation",
        "update-semantics=\"maybe\"|EPN-1204|value=maybe|true or false"})
    void shouldRefuseOptionsOfRelationsOnStreams(
        final String option, final String code, final String text, final String hint)
    {
        isRefused("", "<wlevs:channel id=\"c\" event-type=\"Tick\" " + option + "/>", code, text, hint);
    }

    @Test
    void shouldReadHowRowsAreSharedOutAmongMembers() throws Exception
    {
        final var network = with("", """
            <wlevs:channel id="plain" event-type="Tick"/>
            <wlevs:channel id="all" event-type="Tick" partition-by="symbol"/>
            <wlevs:channel id="some" event-type="Tick" partition-by="symbol" partition-group="strategy"/>
            """).define();

        assertThat(Application.stage(network, "plain", ChannelStage.class).sharing()).isNull();
        assertThat(Application.stage(network, "all", ChannelStage.class).sharing())
            .isEqualTo(new ChannelStage.Sharing("symbol", "AllDomainMembers"));
        assertThat(Application.stage(network, "some", ChannelStage.class).sharing())
            .isEqualTo(new ChannelStage.Sharing("symbol", "strategy"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "partition-by=\"symbl\"|EPN-1207|property=symbl|symbol",
        "partition-group=\"strategy\"|EPN-1211|partition-group=strategy|partition-by"})
    void shouldRefuseToShareRowsOutByNothing(
        final String option, final String code, final String text, final String hint)
    {
        isRefused("", "<wlevs:channel id=\"c\" event-type=\"Tick\" " + option + "/>", code, text, hint);
    }

    @Test
    void shouldRefuseUpdateSemanticsWithoutKey()
    {
        final List<Problem> problems = with("", "<wlevs:channel id=\"c\" event-type=\"Tick\" is-relation=\"true\" " +
            "update-semantics=\"true\"/>").refused();

        assertThat(problems).as("%s", problems).anySatisfy(problem ->
        {
            assertThat(problem.code()).isEqualTo("EPN-1211");
            assertThat(problem.text()).contains("update semantics need a primary key");
            assertThat(problem.hint()).contains("primary-key");
        });
    }
}
