{{- define "copse.secret" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
{{- end }}

{{/* The settings of the container, by their variables. */}}
{{- define "copse.environment" -}}
- name: COPSE_ROOT_URL
  value: {{ required "rootUrl is the URL that clients use" .Values.rootUrl | quote }}
- name: COPSE_TRUSTED_PROXIES
  value: {{ join "," .Values.trustedProxies | quote }}
- name: COPSE_DRAIN_TIMEOUT
  value: {{ printf "%ds" (int .Values.drainSeconds) }}
- name: COPSE_SHUTDOWN_TIMEOUT
  value: {{ printf "%ds" (int .Values.shutdownSeconds) }}
{{- if .Values.database.existingSecret }}
{{ include "copse.secret" (list "DATABASE_URL" .Values.database.existingSecret .Values.database.key) }}
{{- else if gt (int .Values.replicas) 1 }}
{{- fail "several replicas need PostgreSQL: database.existingSecret" }}
{{- end }}
{{- if .Values.secretKey.existingSecret }}
{{ include "copse.secret" (list "COPSE_SECURITY_SECRET_KEY" .Values.secretKey.existingSecret .Values.secretKey.key) }}
{{- end }}
{{- if .Values.ssh.enabled }}
- name: COPSE_SSH_PUBLIC_PORT
  value: {{ .Values.ssh.service.port | quote }}
{{- else }}
- name: COPSE_SSH_PORT
  value: "0"
{{- end }}
{{- with .Values.s3 }}
{{- if .enabled }}
- name: COPSE_STORAGE_TYPE
  value: s3
- name: COPSE_S3_REGION
  value: {{ .region | quote }}
- name: COPSE_S3_BUCKET
  value: {{ .bucket | quote }}
{{- if .endpoint }}
- name: COPSE_S3_ENDPOINT
  value: {{ .endpoint | quote }}
{{- end }}
{{- if .existingSecret }}
{{ include "copse.secret" (list "COPSE_S3_ACCESS_KEY_ID" .existingSecret .accessKeyIdKey) }}
{{ include "copse.secret" (list "COPSE_S3_SECRET_ACCESS_KEY" .existingSecret .secretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.admin.existingSecret }}
{{ include "copse.secret" (list "COPSE_ADMIN_USERNAME" .Values.admin.existingSecret "username") }}
{{ include "copse.secret" (list "COPSE_ADMIN_PASSWORD" .Values.admin.existingSecret "password") }}
{{- end }}
{{- if .Values.serviceMonitor.tokenSecret }}
{{ include "copse.secret" (list "COPSE_INSTANCE_METRICS_TOKEN" .Values.serviceMonitor.tokenSecret .Values.serviceMonitor.tokenKey) }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}
