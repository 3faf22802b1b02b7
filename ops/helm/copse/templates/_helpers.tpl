{{- define "copse.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-copse" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "copse.selector" -}}
app.kubernetes.io/name: copse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "copse.labels" -}}
{{ include "copse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "copse.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (ternary (include "copse.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}
