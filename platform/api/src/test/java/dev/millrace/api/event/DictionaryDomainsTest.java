package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DictionaryDomainsTest
{
    private final EventType in = EventType.tuple("In", new EventProperty("a", CqlType.CHAR));
    private final EventType out = EventType.tuple("Out", new EventProperty("a", CqlType.CHAR));
    private final EventType query = EventType.tuple("p.q", new EventProperty("a", CqlType.CHAR),
        new EventProperty("b", CqlType.CHAR));
    private final DictionaryDomains domains = new DictionaryDomains();

    @Test
    void shouldJoinLateColumnsOnceWithDomainsThatAreThere()
    {
        final EventType before = EventType.tuple("p.q", new EventProperty("a", CqlType.CHAR));
        domains.join(before, "a", in, "a");
        domains.freeze();
        final DictionaryDomains extended = domains.extended(List.of(query));

        assertThat(extended.tryJoin(query, "a", out, "A")).isTrue();
        assertThat(extended.tryJoin(out, "a", query, "a")).isTrue();
        assertThat(extended.tryJoin(query, "a", in, "a")).isFalse();
        assertThat(extended.tryJoin(in, "a", out, "a")).isFalse();
        assertThat(extended.dictionary(query, "a")).isSameAs(domains.dictionary(out, "a"))
            .isNotSameAs(domains.dictionary(in, "a"));
        assertThat(extended.dictionary(before, "a")).isSameAs(domains.dictionary(in, "a"));
        assertThat(extended.dictionary(query, "b")).isNotIn(domains.dictionary(in, "a"), domains.dictionary(out, "a"));
        assertThat(extended.schema(out)).isEqualTo(domains.schema(out));
    }

    @Test
    void shouldJoinLateColumnsWithEachOtherAndThenWithOneDomain()
    {
        domains.freeze();
        final DictionaryDomains extended = domains.extended(List.of(query));

        extended.join(query, "a", query, "b");
        extended.join(out, "a", query, "b");

        assertThat(extended.dictionary(query, "a")).isSameAs(domains.dictionary(out, "a"));
        assertThatThrownBy(() -> extended.join(query, "a", in, "a")).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("domains are fixed once deployed");
    }

    @Test
    void shouldExtendOnlyFrozenDomainsOfAnApplication()
    {
        assertThatThrownBy(() -> domains.extended(List.of(query))).isInstanceOf(IllegalStateException.class);
        domains.freeze();
        final DictionaryDomains extended = domains.extended(List.of(query));
        assertThatThrownBy(() -> extended.extended(List.of())).isInstanceOf(IllegalStateException.class);
    }
}
