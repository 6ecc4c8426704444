// What a dashboard of ours may consist of, in Grafana's own types. `grafana/check` writes each dashboard into a file of its own
// beside this one, as a literal of type KvorumDashboard: unknown fields, wrong types and unknown choices do not compile.
import type { AnnotationQuery, Dashboard, DataQuery, Panel, RowPanel, TableFieldOptions } from "@grafana/schema";
import type * as heatmap from "@grafana/schema/dist/esm/raw/composable/heatmap/panelcfg/x/HeatmapPanelCfg_types.gen";
import type * as stat from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type * as timeline from "@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen";
import type * as table from "@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen";
import type * as timeseries from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";
import type * as trend from "@grafana/schema/dist/esm/raw/composable/trend/panelcfg/x/TrendPanelCfg_types.gen";

// JSON has the values of enums, not their names.
type Plain<T> = T extends string
  ? `${T}`
  : T extends number | boolean | null | undefined
    ? T
    : T extends Array<infer Part>
      ? Plain<Part>[]
      : T extends object
        ? { [Field in keyof T]: Plain<T[Field]> }
        : T;

// The package has no types of Prometheus' queries.
type Query = Omit<DataQuery, "datasource"> & {
  datasource: { type: "prometheus"; uid: "${datasource}" };
  editorMode: "code";
  expr: string;
  format?: "time_series" | "table" | "heatmap";
  instant?: boolean;
  legendFormat: string;
  range: boolean;
};

type Of<Type extends string, Options, Custom> = Omit<Panel<never, Custom>, "type" | "options" | "targets" | "description"> & {
  type: Type;
  description: string;
  options: Partial<Options>;
  targets: Query[];
};

type KvorumPanel =
  | Of<"timeseries", timeseries.Options, timeseries.FieldConfig>
  | Of<"trend", trend.Options, trend.FieldConfig>
  | Of<"stat", stat.Options, never>
  | Of<"state-timeline", timeline.Options, timeline.FieldConfig>
  | Of<"heatmap", heatmap.Options, heatmap.FieldConfig>
  | Of<"table", table.Options, TableFieldOptions>;

type Annotation = AnnotationQuery & { expr: string; titleFormat: string };

export type KvorumDashboard = Plain<
  Omit<Dashboard, "panels" | "annotations"> & {
    panels: Array<KvorumPanel | RowPanel>;
    annotations: { list: Annotation[] };
  }
>;
