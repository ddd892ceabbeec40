package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkloadsTest
{
    @Test
    void shouldGiveEachWorkloadANameOfItsOwn()
    {
        assertThat(Workloads.ALL.stream().map(each -> each.name() + ':' + each.variant())).doesNotHaveDuplicates();
        assertThat(Workloads.ALL).allSatisfy(each ->
        {
            assertThat(each.name()).matches("[a-z0-9-]+");
            assertThat(each.variant()).matches("[a-z0-9-]*");
            assertThat(each.description()).isNotBlank();
        });
    }

    @Test
    void shouldTakeEverythingWhenNothingIsNamed()
    {
        assertThat(Workloads.named(List.of())).isEqualTo(Workloads.ALL);
    }

    @Test
    void shouldTakeAllVariantsWhenANameIsGivenAndOneWhenAVariantIs()
    {
        assertThat(Workloads.named(List.of("grouped-sum"))).extracting(Workloads.Entry::variant)
            .contains("1-coded", "1000-coded", "1000000-coded");
        assertThat(Workloads.named(List.of("grouped-sum:1000-coded", "grouped-sum:1000-coded")))
            .extracting(Workloads.Entry::fullName).containsExactly("grouped-sum:1000-coded");
        assertThat(Workloads.named(List.of("pair:"))).extracting(Workloads.Entry::fullName).containsExactly("pair");
    }

    @Test
    void shouldListWhatThereIsWhenANameIsUnknown()
    {
        assertThatThrownBy(() -> Workloads.named(List.of("pear")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("no such workload: pear").hasMessageContaining("grouped-sum:1000000-coded, pair,");
    }
}
